// SPDX-License-Identifier: Apache-2.0
#define NAME(name) name
	.text
	.globl	NAME(twice)
	.type	NAME(twice), @function
NAME(twice):
	.cfi_startproc
	leaq	(%rdi,%rdi), %rax
	ret
	.cfi_endproc
	.size	NAME(twice), .-NAME(twice)
	.section	.note.GNU-stack,"",@progbits
