# gnu -g
# gnu --gdwarf-5
# gnu-aarch64 --gdwarf-5
# A line marker within a block says where the lines behind the block are.
# 1 "markers.S"
	.text
	nop
	.macro	m
	nop
# 20 "markers.S"
	nop
	.endm
	nop
	m
	.if	0
	nop
# 50 "markers.S"
	nop
	.endif
	nop
	.rept	2
	.ifndef	never
# 70 "other.S"
	.endif
	.endr
	nop
	m
