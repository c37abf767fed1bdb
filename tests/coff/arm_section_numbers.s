# msvcarm mingwarm
# The number of a section has no addend.
	.data
	.long	1
x:	.long	2
.Ly:
	.section .debug$S,"dr"
	.secidx	x
	.secidx	.Ly
	.secrel32 x
	.secrel32 .Ly
