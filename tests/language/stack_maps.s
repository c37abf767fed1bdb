# both
# .llvm_stackmaps: header, functions, constants, a record with a shadow of its code.
	.text
	.globl f
f:
	pushq %rax
.Ltmp0:
	nopl 8(%rax,%rax)
	popq %rcx
	retq
	.section .llvm_stackmaps,"a",@progbits
__LLVM_StackMaps:
	.byte 3
	.byte 0
	.short 0
	.long 1
	.long 1
	.long 1
	.quad f
	.quad 8
	.quad 1
	.quad 4294967296
	.quad 77
	.long .Ltmp0-f
	.short 0
	.short 1
	.byte 4
	.byte 0
	.short 8
	.short 0
	.short 0
	.long -1
	.p2align 3
	.short 0
	.short 1
	.short 16
	.byte 0
	.byte 8
	.p2align 3
