# llvm
# Every SHT_LLVM_* type by its name, with the flags that the description of each asks for, and by number.
	.section ".linker-options","e",@llvm_linker_options
	.asciz "lib"
	.asciz "m"
	.asciz "libpath"
	.asciz "/usr/lib"
	.section ".deplibs","MS",@llvm_dependent_libraries,1
	.asciz "library specifier 1"
	.asciz "library specifier 2"
	.section ".llvm_sympart","",@llvm_sympart
	.asciz "libpartition.so"
	.word symbol_in_partition
	.section .llvm.offloading,"e",@llvm_offloading
	.asciz "image"
	.section .llvm.lto,"e",@llvm_lto
	.byte 'B', 'C', 0xc0, 0xde
	.section .llvm_jump_table_sizes,"o",@llvm_jt_sizes,.text
	.quad table
	.quad 2
	.section .llvm_jump_table_sizes,"G",@llvm_jt_sizes,f,comdat
	.quad table
	.quad 3
	.section .text.cfi,"axM",@llvm_cfi_jump_table,8
	jmp target1@plt
	int3
	int3
	int3
	jmp target2@plt
	.balign 8, 0xcc
	.section .llvm.call-graph-profile.hand,"e",@llvm_call_graph_profile
	.quad 7
	.section .odr,"e",@llvm_odrtab
	.byte 1
	.section .numbered,"e",@0x6fff4c04
	.byte 1
	.section .callgraph2,"",@0x6fff4c0f
	.byte 1
	.data
table:	.quad 1, 2
