# all
# Weak symbols are undefined ones with a default, which has a name of its own.
	.globl	strong
strong:	nop
	.weak	undefined_weak
	.weak	defined_weak
	.def	defined_weak; .scl 2; .type 32; .endef
defined_weak:
	call	undefined_weak
	call	strong
	ret
	.data
	.long	undefined_weak, defined_weak
	.weak	weak_data
weak_data:
	.long	weak_data+4
	.weak	other_data
other_data:
	.long	other_data, defined_weak+1
