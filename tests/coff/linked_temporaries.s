# gnu64
# gnu32
# Names that begin as temporary ones do, and are for the linker.
	.globl .LA
.LA:	.long 1
	.globl .LB
	.long .LB
	.globl LC
	.weak LD
LD:	.long 3
	.long LD
	.globl LE
LE:	call LE
	.long LE
	.comm LF,4
	.lcomm LG,4
	.set LH,5
	.globl LH
	.def LI; .scl 2; .type 32; .endef
LI:	ret
	.def LJ; .scl 3; .type 32; .endef
LJ:	ret
	.def L.str; .scl 3; .type 32; .endef
	.weak LZ
	.weak LY
LY:	.long 1
	.globl LX
	.set LX,LY
	.set LU,LY
	.comm LT,4
	.lcomm LS,4
	.globl LR
	.linkonce
	.section .text$x,"x"
	.linkonce discard
LM:	ret
	.globl LM
	.section .rdata$LN,"dr"
	.linkonce same_size
	.globl	LN
LN:	.long	1
LO:	.long	2
	.data
	.long	LN, LO
