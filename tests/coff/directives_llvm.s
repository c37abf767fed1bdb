# msvc64 msvc32 mingw64: what llvm-mc alone knows
	.pushsection .rdata,"dr"
	.long	1
	.popsection
	.data
	.base64	"YWJj"
	.macros_off
	.macros_on
	.macro	m x
	.byte	\x
	.endmacro
	m	1
	.align32 8
	.text
	nop
	.even
	nop
	.globl	a
	.weak_reference a
	.lto_discard a
	.lto_set_conditional b, c
