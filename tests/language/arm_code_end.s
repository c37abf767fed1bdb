# gnu-thumb -g -mthumb
# gnu-thumb --gdwarf-5 -mthumb
# gnu-aarch64 --gdwarf-5
# Padding at the end of code is not the program's; mapping symbols of padding stand before sections for strings.
	.cfi_sections .debug_frame
	.text
	.p2align 4
f:
	.cfi_startproc
	nop
	.byte	1
	.p2align 2
	nop
	nop
	nop
	.cfi_endproc
	.type	f, %function
	.size	f, .-f
	.section .text.other, "ax", %progbits
	nop
