# all
# Storage classes and types, what moves in GNU as's order, local and temporary names, aliases.
	.file	"symbols.c"
	.def	first;	.scl	2;	.type	32;	.endef
	.def	second;	.scl	3;	.type	32;	.endef
	.def	unused;	.scl	2;	.type	32;	.endef
	.globl	global_data
	.set	number, 5
	.globl	global_number
	global_number = 7
	.text
label:
	call	first
	call	undefined
	jmp	second
	jmp	.Ltemporary
.Ltemporary:
	.p2align 4
second:
	ret
	.globl	first
	.p2align 4, 0x90
first:
	call	label
	jmp	first
	ret
	.data
	.def	late;	.scl	3;	.type	4;	.endef
late:	.long	number, first, second, label, undefined
global_data:
	.long	first-late, second-., undefined+4-.
a_name_of_more_than_eight_characters:
	.long	a_name_of_more_than_eight_characters
	alias = global_data
	.globl	alias
	.long	alias+4
	.def	"quoted name?"; .scl 2; .type 32; .endef
	.long	"quoted name?"
