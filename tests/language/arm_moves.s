# llvm-thumb -triple=thumbv7-linux-gnueabihf
@ Moves: which form LLVM takes.
	.syntax unified
	lsls r0, r1, #0
	lsl r0, r1, #0
	it eq
	lsleq r0, r1, #0
	it eq
	moveq r0, r1,lsl #0
	movs r0, r1,lsl #0
	mov r0, r1,lsl #0
	lsls r0, #0
	it eq
	lsleq r0, r1, #1
	mov r0, #4096
	mov.w r0, #4096
	mov r0, #255
	it eq
	ldreq r1,=1
	ldr r1,=1
	it eq
	ldreq r1,=256
	it eq
	ldreq.w r1,=1
	it eq
	ldreq.n r1,=1
