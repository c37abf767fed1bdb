# both
# The size of an alias that has one of its own, though it comes to 0; where LLVM lists a symbol that .size names first.
	.globl	real
	.type	real, @function
real:	nop
	.size	alias, .-alias
	.globl	stub
	.type	stub, @function
stub:	.cfi_startproc
	jmp	real
	.cfi_endproc
	.size	stub, .-stub
	.weak	alias
	.set	alias, stub
