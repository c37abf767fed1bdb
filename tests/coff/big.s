# gnu64 bigobj
	.file	"short.c"
	.globl	f
f:	call	g
	.weak	w
w:	ret
	.section .rdata$x,"dr"
	.linkonce
	.globl	x
x:	.quad	f
