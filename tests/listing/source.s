	.text
	.file 1 "source.c"
	.loc 1 2 0
	nop
	.loc 1 4
	nop
	.loc 1 1
	nop
	.stabn 68,0,5,0
	nop
	ret
