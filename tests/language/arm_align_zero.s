# gnu-thumb
# llvm-thumb -triple=thumbv7-linux-gnueabi
# .align 0 of ARM is .align 2 in GNU as.
	.syntax unified
	.thumb
	nop
	.align	0
	nop
	.data
	.byte	1
	.align	0
	.byte	2
