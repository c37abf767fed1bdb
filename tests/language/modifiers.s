# both
# Modifiers with an address behind them.
	movq foo@GOTPCREL(%rip), %rax
	leaq foo@TLSGD(%rip), %rdi
	movq foo@GOTTPOFF(%rip), %rax
	leaq foo@DTPOFF(%rax), %rcx
	movl %eax, foo@TPOFF(%rax)
	call foo@PLT
	.quad foo@GOT
	.long foo@GOTPCREL+4
