# gnu
# gnu-aarch64
# gnu-thumb
// A signature is text until something else mentions it: `late` is listed behind `first`.
	.section .text.a, "axG", %progbits, late, comdat
	.globl	first
first:	.long	late - .
	.section .bss.late, "awG", %nobits, late, comdat
	.weak	late
late:	.skip	4
	.section .text.b, "axG", %progbits, only, comdat
	.long	0
