# llvm
# C99 hexadecimal floating-point constants.
	.section .data
	.float 0x1c2.2ap3
	.float -0x1p-3, 0x.8p1, 0x1.8P+2
	.double 0x1.fffffffffffffp1023, 0x1p-1074, -0x0p0
	.single 0x1.000001p0
