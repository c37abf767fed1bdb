# gnu --32
# gnu --64
# Whether symbols are equal that nothing is known of but what stands for what.
	.if x <> x
	.err
	.endif
	.equiv y, x
	.if x <> y
	.err
	.endif
	.equiv z, x
	.if y <> z
	.err
	.endif
	.set v, z + 4
	.if v - 4 <> z + 0
	.byte 1
	.endif
	.if v == y
	.err
	.endif
	.if a == b
	.err
	.endif
	.long x
