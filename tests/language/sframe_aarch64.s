# gnu-aarch64 --gsframe
# gnu-aarch64 --gsframe -EB
f:
	.cfi_startproc
	paciasp
	.cfi_negate_ra_state
	stp x29,x30,[sp,-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29,-32
	.cfi_offset 30,-24
	mov x29,sp
	.cfi_def_cfa_register 29
	nop
	ldp x29,x30,[sp],32
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa 31,0
	autiasp
	.cfi_negate_ra_state
	ret
	.cfi_endproc
g:
	.cfi_startproc
	.cfi_b_key_frame
	stp x29,x30,[sp,-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 30,-24
	nop
	.cfi_endproc
h:
	.cfi_startproc
	stp x29,x30,[sp,-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29,-24
	nop
	.cfi_endproc
