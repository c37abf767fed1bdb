# gnu-aarch64
// Variables of C may have the names of vectors, predicates and matrices.
	adrp	x0, p0
	add	x0, x0, :lo12:p0
	adrp	x1, z0
	adrp	x2, v3
	adrp	x3, s1
	bl	z31
	bl	p15
	b	x7
