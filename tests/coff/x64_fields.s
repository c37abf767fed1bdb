# gnu64
# Relocations for which only BFD has types; the values of symbols that GNU as leaves in fields.
	.globl	g
	.text
	nop
g:	movl	array(,%rax,4), %eax
	movabsq	$g, %rax
	movl	$5, elsewhere(%rip)
	.section .text$once,"x"
	.linkonce
	nop
kept:	nop
	.data
	.byte	elsewhere
	.short	elsewhere
	.quad	elsewhere-., kept, g
	.long	kept, kept-.
	.section .rdata,"dr"
array:	.quad	kept+8
