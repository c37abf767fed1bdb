# llvm-thumb -triple=thumbv7-linux-gnueabihf
@ Another name of a Thumb function is one.
	.globl	f, g, h, k
	.type	f, %function
	.thumb_func
f:	bx	lr
	.type	g, %function
g = f
h = g
k = late
	.type	late, %function
	.thumb_func
late:	bx	lr
	.word	g, h, k
