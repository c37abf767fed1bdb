	nop
	.nops 20
	.nops 3, 2
foo:	.p2align 4
	.skip 5
	.fill 3,2,7
	.uleb128 foo-bar
bar:	.org .+9
	.ascii "abc"
	.nop
