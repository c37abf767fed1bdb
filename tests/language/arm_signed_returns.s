# llvm-thumb -triple=thumbv8.1m.main-none-eabi -mattr=+mve,+cdecp1,+8msecext
@ Signed return addresses in exception tables and frames; addresses from a static base; numbers as distances from pc;
@ names of registers in any mixture of cases; instructions as numbers in IT and VPT blocks.
	.syntax unified
	.cfi_sections .debug_frame
f:
	.fnstart
	.cfi_startproc
	pac r12, lr, sp
	.save {r7, ra_auth_code, lr}
	push {r7, r12, lr}
	.cfi_def_cfa_offset 12
	.cfi_offset lr, -4
	.cfi_offset ra_auth_code, -8
	movw r0, :lower16:x(sbrel)
	movt r0, :upper16:x(sbrel)
	ldr r1, #8
	ldr r1, #-6
	ldrb r8, #4
	bx lr
	.cfi_endproc
	.fnend
	.fnstart
g:	.save {r4-r7, ra_auth_code, lr}
	bx lr
	.fnend
	Object .req r2
	mov r4, oBJECT
	.unreq OBJECT
	it eq
	.inst.n 0x3001
	add r0, #1
	vpst
	.inst.w 0xef220844
	vadd.i32 q0, q1, q2
	cx3 p1, apsr_nzcv, r7, apsr_nzcv, #12
	vmov.32 r0, q0[2]
	vlstm r8, {d0 - d31}
