# msvc64 mingw64 msvcarm64
# Pseudo probes: one section for the probes of all code.
	.text
	.globl	f
f:
	.pseudoprobe	6699318081062747564 1 0 0 f
	nop
	nop
	.section	.text$x,"xr",one_only,g
	.globl	g
g:
	.pseudoprobe	1337 1 0 0 g
	nop
	.pseudoprobe	1337 2 0 0 g
