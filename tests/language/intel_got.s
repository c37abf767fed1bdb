# gnu
# In Intel syntax, the symbol of the GOT is listed behind the one whose modifier needs it.
	.intel_syntax noprefix
	mov	rax, first@GOTPCREL[rip]
	call	[QWORD PTR second@GOTPCREL[rip]]
	.att_syntax
	movq	third@GOTPCREL(%rip), %rax
