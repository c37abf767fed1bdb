# gnu-thumb
# gnu-thumb -mfpu=vfpxd
# gnu-thumb -mfpu=arm1020t
# Without a chosen architecture: the least that has these instructions, of the M profile.
	.syntax unified
	.thumb
	nop
	tt	r0, r1
	movw	r2, #0x1234
	bxns	lr
