# msvc64 mingw64 msvc32 msvcarm64 msvcarm: numbers of sections and offsets in them
	.data
	.byte	1
x:	.long	2
	.secnum	x
	.secoffset x
	.secnum	y
	.secoffset y
	.secnum	.data
	.secoffset .Lz
	.secnum	w
	.section .foo, "dr"
	.long	1
y:	.long	1
	.weak	w
w:	.long	1
.Lz:	alias = .Lz+2
	.p2align 3
	.secoffset alias
	.secnum	alias
