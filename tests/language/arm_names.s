# gnu-thumb -march=armv7-a
# Names of registers are names of symbols where a register can't stand: in branches and in assignments.
	.syntax unified
	.thumb
	.thumb_func
	.type	a2, %function
a2:	bx	lr
	.global	g2, g3
	.thumb_set g2, a2
	.set	g3, a2
	g4 = c1
	bl	c1
	b	a1(PLT)
	bne	d0
	bl	a(tlscall)
	.arm
	b	a1
	bl	r2
	blne	a(tlscall)
	bl	a(tlscall)
	.word	g4, g2
