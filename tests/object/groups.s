# Section groups: with and without a definition of the signature, plain ones, with relocations, in several sections.
	.section .text.a,"axG",@progbits,sig,comdat
	.globl fa
fa:	call bar
	.section .data.a,"awG",@progbits,sig,comdat
	.p2align 4
	.long fa, local
	.text
	call fa
local:	nop
	.section .text.b,"axG",@progbits,fb,comdat
fb:	nop
	.section .rodata.a,"aG",@progbits,sig,comdat
	.long fb+1
	.section .plain,"aG",@progbits,plain
	.long 0
	.section .bss.c,"awG",@nobits,c,comdat
	.weak c
c:	.skip 40
