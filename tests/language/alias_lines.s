# gnu-aarch64 -g
# gnu-aarch64 --gdwarf-5 --noexecstack
# What gives a name to a register is no instruction and has no line; mapping symbols of .eh_frame stand before
# sections that only relocations name, and the section of --noexecstack behind .eh_frame.
	.text
first	.req	x1
	.section .text.code, "ax", %progbits
second	.req	x2
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	nop
	.cfi_endproc
third	.req	x3
	.section .text.none, "ax", %progbits
fourth	.req	x4
