# gnu --32
# Where GNU as lists .L symbols and sections that relocations need: where an operand begins with the name of one that has stood
# before, where an alias is made of it, else at the end, targets of branches first.
first:
	movl	.LC0, %eax
	movaps	.LC1, %xmm0
second:
	movl	.LC1+4, %eax
	movl	$.LC2, %eax
	movl	%eax, %gs:.LC2
	movl	4+.LC2, %eax
third:
	jne	.L4
	jne	.L5
fourth:
	je	.L5
	movl	.LC0, %eax
.L4:
	nop
.L5:
	jmp	.L5
	.set	alias, .LC3
fifth:
	.section .rodata.cst16,"aM",@progbits,16
constants:
.LC0:	.long	0, 0, 0, 0
.LC1:	.long	0, 0, 0, 0
.LC2:	.long	0, 0, 0, 0
.LC3:	.long	0, 0, 0, 0
	.section .table,"a"
	.long	.L6@GOTOFF, .L4@GOTOFF, .L5@GOTOFF, alias@GOTOFF
	.section .group,"aG",@progbits,one,comdat
.L7:	.long	1
	.section .group,"aG",@progbits,two,comdat
.L8:	.long	2
	.text
.L6:	.long	.L8, .L7
sixth:
