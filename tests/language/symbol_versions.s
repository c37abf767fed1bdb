# both
# Several versions of a symbol, and of symbols that come in another order.
	.text
	.globl	first, second
second:	.globl second2
	nop
first:	nop
	.symver	first, a@V1
	.symver	second, s@V1
	.symver	first, a@V2
	.symver	first, b@V3
	.symver	second, s@@V2
	.symver	outside, o@V4
	.symver	first, a@@V4
	call	outside
