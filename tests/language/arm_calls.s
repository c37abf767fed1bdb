# gnu-thumb
# gnu-thumb -march=armv5t
# gnu-thumb -mcpu=cortex-a8
# gnu-thumb -march=armv4t --fix-v4bx
@ Calls between A32 and Thumb, bx for linkers to replace, no-ops and `add` of the processor that is selected.
	.syntax unified
	.arm
	.type a32, %function
a32:	nop
	bl t16
	bleq t16
	b t16
	bl a32
	bl global
	bl t16_global
	bx lr
	bxeq r0
	.thumb
	.thumb_func
t16:	nop
	bl a32
	bl t16
	bl global
	b global
	beq global
	b hidden
	add r3, r8
	add r8, r3, r8
	.thumb_func
	.global t16_global
	.type t16_global, %function
t16_global:
	b t16_global
	nop
	.balign 16
	.global global, hidden
	.hidden hidden
	.type hidden, %function
global:	nop
hidden:	nop
	ldr r0, data
	adr r1, data
	.p2align 2
	.global data
data:	.word 0, a32, t16, global
	ldr r0, last
	nop
	.p2align 2
last:	.word 1
	.arm
	ldr r0, data
	ldrh r0, data
	adr r0, data
	adr r0, t16
