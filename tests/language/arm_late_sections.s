# gnu-thumb
# gnu-thumb --gstabs
# gnu-thumb -g
# gnu-aarch64
# gnu-aarch64 -g
// The order in the symbol table of sections that records make: .eh_frame, .debug_frame, .stab, .stabstr.
	.text
	.cfi_sections .debug_frame, .eh_frame
	.cfi_startproc
	nop
	.cfi_endproc
	.stabs	"gcc2_compiled.", 60, 0, 0, 0
