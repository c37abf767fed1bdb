# msvc64 mingw64: the last size counts, and the largest alignment
	.comm	big, 8
	.comm	big, 4
	.long	big
	.weak	w
	.globl	w
w:	.long	1
