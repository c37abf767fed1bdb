// Every relocation operator in every instruction that takes it.
	.text
	.irp op, got, gottprel, tlsdesc
	adrp x0, :\op:sym+8
	.endr
	.irp op, lo12, tlsdesc_lo12, dtprel_lo12, dtprel_lo12_nc, dtprel_hi12, tprel_lo12, tprel_hi12, tprel_lo12_nc
	add x0, x1, #:\op:sym+8
	.endr
	.irp op, lo12, tlsdesc_lo12, dtprel_lo12, dtprel_lo12_nc, dtprel_hi12, tprel_lo12, tprel_hi12, tprel_lo12_nc
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
	.irp op, lo12, got_lo12, gottprel_lo12, tlsdesc_lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc
	ldr w0, [x1, #:\op:sym+8]
	.endr
	.irp op, lo12, got_lo12, gottprel_lo12, tlsdesc_lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc
	ldrsw x0, [x1, #:\op:sym+8]
	.endr
	.irp op, lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc
	ldr x0, [x1, #:\op:sym+8]
	.endr
	.irp op, lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc
	ldr q0, [x1, #:\op:sym+8]
	.endr
	.irp op, lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc
	ldr d0, [x1, #:\op:sym+8]
	.endr
	.irp op, lo12, got_lo12, gottprel_lo12, tlsdesc_lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc
	ldr s0, [x1, #:\op:sym+8]
	.endr
	.irp op, lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc
	ldr h0, [x1, #:\op:sym+8]
	.endr
	.irp op, lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc
	ldr b0, [x1, #:\op:sym+8]
	.endr
	.irp op, lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc
	str x0, [x1, #:\op:sym+8]
	.endr
	.irp op, lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc
	strb w0, [x1, :\op:sym+8]
	.endr
	.irp op, lo12, dtprel_lo12, dtprel_lo12_nc, tprel_lo12, tprel_lo12_nc
	prfm pldl1keep, [x1, #:\op:sym+8]
	.endr
	.irp op, abs_g0, abs_g0_s, abs_g0_nc, abs_g1, prel_g0, prel_g0_nc, prel_g1, dtprel_g0, dtprel_g0_nc, dtprel_g1, tprel_g1, tprel_g0, tprel_g0_nc
	movz x0, #:\op:sym+8
	.endr
	.irp op, abs_g0, abs_g0_s, abs_g0_nc, abs_g1, prel_g0, prel_g0_nc, prel_g1, dtprel_g0, dtprel_g0_nc, dtprel_g1, tprel_g1, tprel_g0, tprel_g0_nc
	movk x0, #:\op:sym+8
	.endr
	.irp op, abs_g0, abs_g0_s, abs_g0_nc, abs_g1, prel_g0, prel_g0_nc, prel_g1, dtprel_g0, dtprel_g0_nc, dtprel_g1, tprel_g1, tprel_g0, tprel_g0_nc
	movn x0, #:\op:sym+8
	.endr
	.irp op, abs_g0, abs_g0_s, abs_g0_nc, abs_g1, prel_g0, prel_g0_nc, prel_g1, dtprel_g0, dtprel_g0_nc, dtprel_g1, tprel_g1, tprel_g0, tprel_g0_nc
	movz w0, #:\op:sym+8
	.endr
	.irp op, abs_g0, abs_g0_s, abs_g0_nc, abs_g1, prel_g0, prel_g0_nc, prel_g1, dtprel_g0, dtprel_g0_nc, dtprel_g1, tprel_g1, tprel_g0, tprel_g0_nc
	movk w0, #:\op:sym+8
	.endr
	.irp op, abs_g0, abs_g0_s, abs_g0_nc, prel_g0, prel_g0_nc, dtprel_g0, dtprel_g0_nc, tprel_g0, tprel_g0_nc
	mov x0, #:\op:sym+8
	.endr
	.irp op, abs_g0, abs_g0_s, abs_g0_nc, prel_g0, prel_g0_nc, dtprel_g0, dtprel_g0_nc, tprel_g0, tprel_g0_nc
	mov w0, #:\op:sym+8
	.endr
	.irp op, got, got_lo12, gottprel_g0_nc, gottprel_g1, gottprel, gottprel_lo12, tlsdesc
	ldr x0, :\op:sym+8
	.endr
	.irp op, got, got_lo12, gottprel_g0_nc, gottprel_g1, gottprel, gottprel_lo12, tlsdesc
	ldr w0, :\op:sym+8
	.endr
	.irp op, got, got_lo12, gottprel_g0_nc, gottprel_g1, gottprel, gottprel_lo12, tlsdesc
	ldrsw x0, :\op:sym+8
	.endr
	.irp op, got, got_lo12, gottprel_g0_nc, gottprel_g1, gottprel, gottprel_lo12, tlsdesc
	ldr q0, :\op:sym+8
	.endr
	.irp op, got, got_lo12, gottprel_g0_nc, gottprel_g1, gottprel, gottprel_lo12, tlsdesc
	prfm pldl1keep, :\op:sym+8
	.endr
	.irp op, got, gottprel, tlsdesc
	cbz x0, :\op:sym+8
	.endr
	.irp op, got, gottprel, tlsdesc
	tbz x0, #1, :\op:sym+8
	.endr
	.irp op, lo12, tlsdesc_lo12, dtprel_lo12, dtprel_lo12_nc, dtprel_hi12, tprel_lo12, tprel_hi12, tprel_lo12_nc
	add x0, x1, #:\op:sym+8, lsl #12
	.endr
