# gnu64 mingw64: every directive of .eh_frame that both assemblers know
	.text
	.globl	f
f:
	.cfi_startproc
	.cfi_signal_frame
	.cfi_def_cfa rsp, 8
	push	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_offset rbp, -16
	.cfi_rel_offset rbx, 8
	mov	%rsp, %rbp
	.cfi_def_cfa_register rbp
	.cfi_register r12, r13
	.cfi_remember_state
	nop
	.cfi_restore rbp
	.cfi_same_value r14
	.cfi_undefined r15
	.cfi_escape 0x16, 3, 1, 0x30
	nop
	.cfi_restore_state
	.cfi_val_offset rbx, -24
	nop
	.cfi_window_save
	ret
	.cfi_endproc
	.cfi_startproc simple
	.cfi_return_column 16
	nop
	.cfi_endproc
