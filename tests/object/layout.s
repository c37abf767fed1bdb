# Alignment of contents, empty sections, sections without contents, link order, merge, init arrays, symbols of all kinds.
	.file "layout.s"
	.text
	.globl main
	.type main, @function
main:	call puts
	jmp main2
	.size main, .-main
	.weak main2
main2:	ret
	.bss
	.p2align 6
zeros:	.skip 100
	.section .odd,"a",@progbits
	.byte 1
	.section .aligned,"aw",@progbits
	.p2align 5
	.long zeros, main, absolute
	.section .empty,"a",@progbits
	.section .str,"aMS",@progbits,1
	.asciz "text"
	.section .init_array,"aw",@init_array
	.long main
	.section .order,"ao",@progbits,.odd
	.byte 2
	.section .note,"",@note
	.byte 3
	.section .tdata,"awT",@progbits
	.globl tls
	.type tls, @object
tls:	.long 1
	.comm common, 24, 8
	.local lcommon
	.comm lcommon, 16, 4
	.set absolute, 1234
	.globl absolute
	.hidden main2
	.section .refs,"a",@progbits
	.long .str
	.reloc 0, BFD_RELOC_NONE
	.text
	.reloc 0, BFD_RELOC_NONE
