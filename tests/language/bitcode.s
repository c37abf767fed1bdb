# both
# Embedded bitcode: the module, wrapped, and the command line.
	.section .llvmbc,"",@progbits
	.p2align 4
	.long 0x0B17C0DE, 0, 20, 8, 7
	.ascii "BC\300\336"
	.byte 0x35, 0x14, 0, 0
	.section .llvmcmd,"",@progbits
	.asciz "-emit-obj"
