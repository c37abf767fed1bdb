// No instructions: for targets of either byte order.
	.text
	.globl f
	.type f, %function
f:	.long 1
	.section .data.f,"awG",%progbits,f,comdat
	.p2align 3
	.long f, g, local + 4
local:	.long 0x12345678
	.bss
	.skip 17
	.section .cold,"a",%progbits,unique,1
	.byte 1
	.section .cold,"a",%progbits,unique,2
	.long .cold
	.weak w
	.comm c, 8, 4
	.addrsig
	.addrsig_sym f
	.addrsig_sym g
	.cg_profile f, g, 32
