# gnu-thumb -mcpu=arm7tdmi -mthumb
# gnu-thumb -march=armv7-a -mthumb
@ Old syntax is GNU as's until .syntax unified: instructions of Thumb without s set the flags, and stay narrow.
f:	mov r0, r1
	mov r8, r1
	mov r0, #1
	add r0, r1
	add r0, r1, r2
	add r0, #3
	add r0, r1, #3
	add r8, r1
	sub r0, r1, r2
	and r0, r1
	orr r2, r3
	bic r2, r3
	adc r2, r3
	mul r2, r3
	neg r2, r3
	mvn r2, r3
	lsl r2, r3, #4
	lsr r2, r3
	asr r2, #3
	ror r2, r3
	cmp r2, #3
	ldr r2, 1f
	ldr r3, =0x12345678
	adr r3, 1f
	b f
	beq f
	b g
	push {r0, lr}
	ldmia r0!, {r1, r2}
	.align 2
1:	.word 0
	.arm
	.syntax unified
	push 0x18
