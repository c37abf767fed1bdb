# gnu-aarch64
# llvm-aarch64
// Names of registers are no symbols: labels and constants may have them too, and blanks around operators in arguments of
// macros count for x86 only.
	count	.req	x3
	.set	count, 40
table	.req	v7
step	.req	w2
	.equ	step, 8
	.text
	mov	count, 3
	add	x1, count, 5
	mov	w0, step
table:
	.xword	table, count
	.macro	pair first:req, second=7
	.byte	\first, \second
	.endm
	.macro	outer n
	pair	20 - \n, 3
	pair	\n + (1 << 2)
	.endm
	pair	3 - 1, 2
	pair	9 - (4 - 2)
	outer	4
