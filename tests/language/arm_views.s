# gnu-thumb -march=armv7-a
@ Rows whose view is reset: GNU as sets the address where a row begins a fragment and the one before it stood at the end
@ of one, in front of an instruction that it counts with those that may grow.
	.syntax unified
	.thumb
	.file 1 "a.c"
	.thumb_func
f:	.loc 1 1 1 view -0
	cbz r0, 1f
	mov ip, r0
1:	bx lr
	.align 1
	.p2align 2,,3
	.loc 1 2 1 view -0
	.loc 1 3 1 view .LVU1
	adds r0, r0, #40
	bx lr
	.p2align 2,,3
	.loc 1 4 1 view -0
	ldr r0, [r0, #16]
	.loc 1 5 1 view -0
	ldrb r9, [r0]
	.loc 1 6 1 view -0
	movs r0, #3
	.loc 1 7 1 view -0
	mov r0, #3
	.loc 1 8 1 view -0
	cmp r0, #3
	.loc 1 9 1 view -0
	it eq
	moveq r0, #3
	.loc 1 10 1 view -0
	sub sp, sp, #8
	.loc 1 11 1 view -0
	add r1, sp, #1024
	.loc 1 12 1 view -0
	ldr.w r1, [r2]
	.loc 1 13 1 view -0
	str r1, [sp, #4]
	.loc 1 14 1 view -0
	ldrsh r1, [r2, #4]
	.loc 1 15 1 view -0
	ldr r1, [r2, #4]!
	.loc 1 16 1 view -0
	bne f
	.loc 1 17 1 view -0
	b g
	.loc 1 18 1 view -0
