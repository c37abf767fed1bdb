# llvm
# Without .addrsig there is no table; with it alone, an empty one.
	.text
f:	nop
	.addrsig_sym f
