# gnu-thumb -g
# gnu-thumb --gdwarf-5 --noexecstack
# gnu-aarch64 -g --noexecstack --defsym aarch64=1
# A literal of ARM is on the line that asked for it first, if that is not the line of the row before; the symbol of a
# section that an option makes comes behind that of .debug_aranges.
	.text
	.macro	load
	ldr	r2, =0x5678999
	nop
	ldr	r3, =0x12345678
	.endm
f:
	.ifndef aarch64
	ldr	r0, =0x12345678
	ldr	r1, =0x12345
	nop
	.ltorg
	load
	load
	.ltorg
	ldr	r0, =0x12345678; ldr	r1, =f
	.ltorg
	.else
	ldr	x0, =0x12345678
	.endif
