# llvm
# An empty table.
	.addrsig
f:	nop
