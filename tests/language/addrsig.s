# llvm
# .addrsig_sym of a symbol that nothing else names means nothing; of a .L symbol, its section.
	.text
	.globl f
f:	nop
	call g
local:	nop
.Ltemporary:
	nop
	.section .text.other,"ax",@progbits
.Lother: nop
	.addrsig
	.addrsig_sym f
	.addrsig_sym g
	.addrsig_sym unknown
	.addrsig_sym local
	.addrsig_sym .Ltemporary
	.addrsig_sym .Lother
	.addrsig_sym .Lunknown
	.addrsig_sym later
later:	nop
