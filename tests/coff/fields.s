# gnu64 gnu32 msvc64 msvc32
# Image-relative addresses, offsets and numbers of sections.
	.text
	.globl	f
f:	nop
.Linside:
	nop
	.section .x,"dr"
	.secidx	f
	.secidx	.Linside
	.secidx	elsewhere
	.p2align 2
	.secrel32	f
	.secrel32	.Linside
	.secrel32	f+4
	.rva	f, .Linside, elsewhere
	.rva	f+4
	.long	elsewhere@secrel32
	.long	elsewhere-., f-.
