# llvm-thumb -triple=thumbv7-linux-gnueabihf -arm-implicit-it=always
# gnu-thumb -march=armv7-a -mfpu=vfpv3 -mthumb -mimplicit-it=thumb
@ Consecutive conditional instructions share an IT block, until one writes the program counter or something stands between.
	.syntax unified
	ldreq pc, [r0]
	addeq r0, r0, #1
	moveq pc, lr
	addeq r0, r0, #1
	ldmeq r0, {r1, pc}
	addeq r0, #1
	svceq #0
	addeq r0, #1
	bleq foo
	addeq r0, #1
	vaddeq.f32 s0, s0, s0
	beq foo
	beq.w foo
	addeq r0, #1
	vmrseq apsr_nzcv, fpscr
	add r1, r1, r1
	addeq r0, #1
	addeq r0, #1
	movne r0, #1 @ a comment
/* and another */
# and a third
	movne r0, #1; moveq r0, r1
label:	moveq r0, r1
	movne r1, r0
	movgt r0, r1
	addgt r0, r0, r1
	bgt label
	addgt r0, r0, r1
	bne label
