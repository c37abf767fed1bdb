// Every relocation operator in every instruction that takes it.
	.text
	.irp op, pg_hi21_nc, got, gottprel, tlsdesc, got_auth, tlsdesc_auth
	adrp x0, :\op:sym+8
	.endr
	.irp op, got_auth
	adr x0, :\op:sym+8
	.endr
	.irp op, lo12, tlsdesc_lo12, dtprel_lo12, dtprel_lo12_nc, dtprel_hi12, tprel_lo12, tprel_hi12, tprel_lo12_nc, got_auth_lo12, tlsdesc_auth_lo12
	add x0, x1, #:\op:sym+8
	.endr
	.irp op, lo12, tlsdesc_lo12, dtprel_lo12, dtprel_lo12_nc, dtprel_hi12, tprel_lo12, tprel_hi12, tprel_lo12_nc, got_auth_lo12, tlsdesc_auth_lo12
	add w0, w1, #:\op:sym+8
	.endr
	.irp op, lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc
	ldrb w0, [x1, #:\op:sym+8]
	.endr
	.irp op, lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc
	ldrsb x0, [x1, #:\op:sym+8]
	.endr
	.irp op, lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc
	ldrh w0, [x1, #:\op:sym+8]
	.endr
	.irp op, lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc
	ldr w0, [x1, #:\op:sym+8]
	.endr
	.irp op, lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc
	ldrsw x0, [x1, #:\op:sym+8]
	.endr
	.irp op, lo12, got_lo12, gottprel_lo12, tlsdesc_lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc, gotpage_lo15, got_auth_lo12, tlsdesc_auth_lo12
	ldr x0, [x1, #:\op:sym+8]
	.endr
	.irp op, lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc
	ldr q0, [x1, #:\op:sym+8]
	.endr
	.irp op, lo12, got_lo12, gottprel_lo12, tlsdesc_lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc, gotpage_lo15, got_auth_lo12, tlsdesc_auth_lo12
	ldr d0, [x1, #:\op:sym+8]
	.endr
	.irp op, lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc
	ldr s0, [x1, #:\op:sym+8]
	.endr
	.irp op, lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc
	ldr h0, [x1, #:\op:sym+8]
	.endr
	.irp op, lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc
	ldr b0, [x1, #:\op:sym+8]
	.endr
	.irp op, lo12, got_lo12, gottprel_lo12, tlsdesc_lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc, gotpage_lo15, got_auth_lo12, tlsdesc_auth_lo12
	str x0, [x1, #:\op:sym+8]
	.endr
	.irp op, lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc
	strb w0, [x1, :\op:sym+8]
	.endr
	.irp op, lo12, got_lo12, gottprel_lo12, tlsdesc_lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc, gotpage_lo15, got_auth_lo12, tlsdesc_auth_lo12
	prfm pldl1keep, [x1, #:\op:sym+8]
	.endr
	.irp op, abs_g0, abs_g0_s, abs_g0_nc, abs_g1, abs_g1_s, abs_g1_nc, abs_g2, abs_g2_s, abs_g2_nc, abs_g3, prel_g0, prel_g0_nc, prel_g1, prel_g1_nc, prel_g2, prel_g2_nc, prel_g3, gottprel_g0_nc, gottprel_g1, dtprel_g0, dtprel_g0_nc, dtprel_g1, dtprel_g1_nc, dtprel_g2, tprel_g2, tprel_g1, tprel_g1_nc, tprel_g0, tprel_g0_nc
	movz x0, #:\op:sym+8
	.endr
	.irp op, abs_g0, abs_g0_s, abs_g0_nc, abs_g1, abs_g1_s, abs_g1_nc, abs_g2, abs_g2_s, abs_g2_nc, abs_g3, prel_g0, prel_g0_nc, prel_g1, prel_g1_nc, prel_g2, prel_g2_nc, prel_g3, gottprel_g0_nc, gottprel_g1, dtprel_g0, dtprel_g0_nc, dtprel_g1, dtprel_g1_nc, dtprel_g2, tprel_g2, tprel_g1, tprel_g1_nc, tprel_g0, tprel_g0_nc
	movk x0, #:\op:sym+8
	.endr
	.irp op, abs_g0, abs_g0_s, abs_g0_nc, abs_g1, abs_g1_s, abs_g1_nc, abs_g2, abs_g2_s, abs_g2_nc, abs_g3, prel_g0, prel_g0_nc, prel_g1, prel_g1_nc, prel_g2, prel_g2_nc, prel_g3, gottprel_g0_nc, gottprel_g1, dtprel_g0, dtprel_g0_nc, dtprel_g1, dtprel_g1_nc, dtprel_g2, tprel_g2, tprel_g1, tprel_g1_nc, tprel_g0, tprel_g0_nc
	movn x0, #:\op:sym+8
	.endr
	.irp op, abs_g0, abs_g0_s, abs_g0_nc, abs_g1, abs_g1_s, abs_g1_nc, prel_g0, prel_g0_nc, prel_g1, prel_g1_nc, gottprel_g0_nc, gottprel_g1, dtprel_g0, dtprel_g0_nc, dtprel_g1, dtprel_g1_nc, tprel_g1, tprel_g1_nc, tprel_g0, tprel_g0_nc
	movz w0, #:\op:sym+8
	.endr
	.irp op, abs_g0, abs_g0_s, abs_g0_nc, abs_g1, abs_g1_s, abs_g1_nc, prel_g0, prel_g0_nc, prel_g1, prel_g1_nc, gottprel_g0_nc, gottprel_g1, dtprel_g0, dtprel_g0_nc, dtprel_g1, dtprel_g1_nc, tprel_g1, tprel_g1_nc, tprel_g0, tprel_g0_nc
	movk w0, #:\op:sym+8
	.endr
	.irp op, abs_g0, abs_g0_s, abs_g0_nc, prel_g0, prel_g0_nc, gottprel_g0_nc, dtprel_g0, dtprel_g0_nc, tprel_g0, tprel_g0_nc
	mov x0, #:\op:sym+8
	.endr
	.irp op, abs_g0, abs_g0_s, abs_g0_nc, prel_g0, prel_g0_nc, gottprel_g0_nc, dtprel_g0, dtprel_g0_nc, tprel_g0, tprel_g0_nc
	mov w0, #:\op:sym+8
	.endr
	.irp op, got, got_lo12, gottprel_g0_nc, gottprel_g1, gottprel, gottprel_lo12, tlsdesc, gotpage_lo15, got_auth, got_auth_lo12
	ldr x0, :\op:sym+8
	.endr
	.irp op, got, got_lo12, gottprel_g0_nc, gottprel_g1, gottprel, gottprel_lo12, tlsdesc, gotpage_lo15, got_auth, got_auth_lo12
	ldr w0, :\op:sym+8
	.endr
	.irp op, got, got_lo12, gottprel_g0_nc, gottprel_g1, gottprel, gottprel_lo12, tlsdesc, gotpage_lo15, got_auth, got_auth_lo12
	ldrsw x0, :\op:sym+8
	.endr
	.irp op, got, got_lo12, gottprel_g0_nc, gottprel_g1, gottprel, gottprel_lo12, tlsdesc, gotpage_lo15, got_auth, got_auth_lo12
	ldr q0, :\op:sym+8
	.endr
	.irp op, got, got_lo12, gottprel_g0_nc, gottprel_g1, gottprel, gottprel_lo12, tlsdesc, gotpage_lo15, got_auth, got_auth_lo12
	prfm pldl1keep, :\op:sym+8
	.endr
	.irp op, got, gottprel, tlsdesc
	cbz x0, :\op:sym+8
	.endr
	.irp op, got, gottprel, tlsdesc
	tbz x0, #1, :\op:sym+8
	.endr
	.irp op, lo12, tlsdesc_lo12, dtprel_lo12, dtprel_lo12_nc, dtprel_hi12, tprel_lo12, tprel_hi12, tprel_lo12_nc, got_auth_lo12, tlsdesc_auth_lo12
	add x0, x1, #:\op:sym+8, lsl #12
	.endr
