// Operators of data: @plt, @gotpcrel, @funcinit, signed pointers; distances.
	.text
	.globl g
g:	nop
l:	nop
.Lt:	nop
	.data
	.xword g@AUTH(ia,42)
	.xword l@AUTH(ib,0)
	.xword .Lt@AUTH(da,65535,addr)
	.xword (u + 5)@AUTH(db,0x10,addr)
	.xword (u - 5)@AUTH( ia , 1 )
	.xword "quoted name" @AUTH(ia,42)
	.word u@plt - .
	.word u@PLT - . + 4
	.word l@plt - .
	.word u@gotpcrel
	.word u@GOTPCREL+4
	.word l@gotpcrel
	.xword u@funcinit
	.word l-.
	.word u-.
	.xword u-.
	.hword u-.
	.hword l
	.xword l, u+8
	.word g, l
