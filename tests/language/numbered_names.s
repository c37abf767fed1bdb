# gnu
# gnu --32
# gnu-aarch64
# Differences from a place keep the names of merged strings, and those of numbers are which one it is.
	.text
	.section .strings, "aMS", %progbits, 1
12:	.asciz "a"
	.section .table, "a"
	.long 12b - .
	.section .strings
12:	.asciz "b"
1:	.asciz "c"
	.section .table
	.long 12b - .
	.long 1b - .
