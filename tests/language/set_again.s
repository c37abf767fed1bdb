# gnu
# gnu-aarch64
# A symbol that is set again is no alias of what was not defined at first.
	.globl	f
	f = outside
	.type	g, %function
g:	.long	1
	.size	g, .-g
	.set	f, g
	.set	h, sized
	.set	h, later
	.type	sized, %object
sized:	.long	2
	.size	sized, 2
later:	.long	3
	.size	later, 3
	.set	i, later
	.set	i, last
	.long	i
last:	.long	4
	.size	last, 4
	.type	last, %object
