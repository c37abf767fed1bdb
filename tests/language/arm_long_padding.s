# gnu-thumb
# gnu-thumb -march=armv5t
@ Alignment in code keeps room for 63 bytes of no-ops; whole rooms more are zeros.
	.arm
	nop
	.p2align 6
	nop
	.p2align 12
	.rept 17
	nop
	.endr
	.p2align 8
	.thumb
	nop
	.p2align 7
	nop
	.section .text.late, "ax"
	b	far
	.skip 2000
far:	.p2align 9
	nop
