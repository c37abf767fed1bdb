# gnu
# gnu --32
# gnu-aarch64
# gnu-thumb
# Names that begin as temporary ones do, and are for the linker.
	.globl	.LA
.LA:	.long	1
	.long	.LA
	.globl	.LB
	.long	.LB
	.globl	.LC
	.weak	.LD
.LD:	.long	3
	.long	.LD
	.weak	.LE
.LE:	.long	4
	.comm	.LG, 4
	.set	.LH, 5
	.globl	.LH
	.set	.LI, .LA
	.weak	.LI
	.hidden	.LJ
.LJ:	.long	.LJ
	.local	.LK
.LK:	.type	.LK, %object
	.globl	.LL
	.type	.LL, %gnu_unique_object
	.size	.LL, 4
.LL:	.long	.LI
