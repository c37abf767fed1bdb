# gnu-aarch64
# llvm-aarch64
// No mapping symbols in debugging information.
	.cfi_sections .debug_frame
f:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	ret
	.cfi_endproc
