# gnu
# Words that are operators in Intel's syntax, in data and directives as well.
	.data
	.intel_syntax noprefix
	.long	not 3, not 3 + 1, not -3 * 2, NOT 5
	.long	8 mod 5, 9 SHL 6, 10 shr 7, 11 and 8, 12 xor 9, 13 or 10
	.long	14 eq 14, 15 ne 15, 16 le 16, 17 lt 17, 18 ge 18, 19 gt 19
	.long	3 shl 2 + 1, (1 or 2) and not 1
	x = 1 shl 5 or 3
	.long	x
	.if	x eq 35
	.long	7
	.endif
	.fill	2 shl 1, 1, 4 xor 1
nota:	.long	nota
	.set	a, 5
	.long	not a, a shl 1
	.att_syntax
