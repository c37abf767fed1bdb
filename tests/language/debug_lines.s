# gnu -g
# gnu --gdwarf-2
# gnu --gdwarf-3
# gnu --gdwarf-4
# gnu --gdwarf-5
# gnu --gdwarf-5 --gdwarf-sections
# gnu -g --compress-debug-sections=zlib
# gnu --gdwarf-4 --compress-debug-sections=zlib-gnu
# gnu --gdwarf-5 --compress-debug-sections=zstd
# gnu -g --compress-debug-sections --nocompress-debug-sections
# gnu --gdwarf-5 --32
# llvm -g
# llvm -g -dwarf-version=2
# llvm -g -dwarf-version=3
# llvm -g -dwarf-version=5
# llvm -g -dwarf-version=5 -dwarf64
# llvm -g --compress-debug-sections=zlib
# llvm -g --compress-debug-sections=zstd
# Line information for the assembly source itself.
	.text
	.globl f
	.type f, @function
f:	nop
	nop; nop
	.macro m
	nop
	ret
	.endm
	m
	.size f, .-f
	.type g, @function
g:	nop
	jmp g
	.size g, .-g
	.data
d:	.long 1
	.section .text.x,"ax"
h:	nop
	.p2align 4
	ret
	.text
	nop
