# both
# .set of a symbol that has a value makes a new one in GNU as, which is visible.
	.text
place:	nop
	.globl	x, z, w, u
	.set	x, place
	.hidden	x
	.set	x, place
	z = place
	.protected z
	z = place + 1
	.hidden	w
	w = place
	.set	u, 1
	.internal u
	.set	u, 2
	.set	v, place
	.hidden	v
	.set	v, place
	.globl	v
