	.text
	.type f, @function
f:	nop
	.size f, 1
	.section .debug_info
	.long 1

	.text
	.line 5
	.stabd 68,0,5
	.ident "x"
	nop
