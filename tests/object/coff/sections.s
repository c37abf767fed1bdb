	.file "file.c"
	.text
	.globl f
	.def f
	.scl 2
	.type 32
	.endef
f:	.long 1
	.data
	.p2align 5
	.long f, external_function_with_a_long_name, local
local:	.long 0
	.bss
	.globl zeros
zeros:	.space 100
	.section .rdata,"dr"
	.asciz "text"
	.section .rdata$a_long_name,"dr"
	.long f
	.section .text$inline,"x"
	.linkonce discard
	.globl inline_function
inline_function:
	.long f
	.section .empty,"dr"
	.section .drectve,"yn"
	.ascii "-export:f"
	.section .debug_info,"dr"
	.long 2
	.secrel32 local
	.weak weak_defined
	.text
weak_defined:
	.long 3
	.weak weak_undefined
	.data
	.long weak_undefined
	.comm common_symbol, 16
	.set absolute, 42
	.globl absolute
