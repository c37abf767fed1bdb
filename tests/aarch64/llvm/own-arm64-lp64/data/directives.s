// Data that the linker fills in, and directives that mark instructions.
	.text
	.globl g
	.variant_pcs g
g:	nop
l:	bl g
	.tlsdesccall t
	blr x1
	ldr x1, [x0, #:tlsdesc_lo12:t]
	add x0, x0, :tlsdesc_lo12:t
	.inst 0xd503201f, 0x14000000
first .req x3
	add FIRST, first, #1
	.unreq first
	ldr w0, =0x12345678
	ldr x0, =0x123456789abcdef0
	ldr x1, =g+8
	ldr w1, =0x12345678
	.ltorg
	.cfi_startproc
	.cfi_b_key_frame
	.cfi_negate_ra_state
	.cfi_mte_tagged_frame
	.cfi_negate_ra_state_with_pc
	nop
	.cfi_endproc
	.data
	.word l-.
	.word u-.
	.xword u-., l, u+8
	.hword u-., l
	.dword 0x1122334455667788
