# gnu --sectname-subst
# %S in the name of a section, unless it is quoted, is the current section's name.
	.macro exception_code
	.pushsection %S.exception,"ax",@progbits
	nop
	.popsection
	.endm
	.text
	exception_code
	.section .init,"ax"
	exception_code
	.section .x%S%S.y
	.byte 1
	.section "%S.q"
	.byte 2
	.data
	.section %S
	.byte 3
