# msvc64 mingw64 msvc32: several sections of one name, told apart by number or by COMDAT symbol
	.section .rdata, "dr", discard, one, unique, 1
one:	.long	1
	.section .rdata, "dr", unique, 2
	.long	2
	.section .rdata, "dr", discard, two
two:	.long	3
	.section .rdata, "dr", unique, 2
	.long	4
	.section .xdata, "dr", associative, one
	.long	one@IMGREL
	.section .rdata, "dr"
	.long	5
