# msvc32
# Frame data of 32-bit code.
	.text
	.globl	_f
	.def	_f; .scl 2; .type 32; .endef
_f:	.cv_fpo_proc	_f 8
	pushl	%ebp
	.cv_fpo_pushreg	%ebp
	movl	%esp, %ebp
	.cv_fpo_setframe	%ebp
	pushl	%esi
	.cv_fpo_pushreg	%esi
	andl	$-16, %esp
	.cv_fpo_stackalign	16
	subl	$32, %esp
	.cv_fpo_stackalloc	32
	.cv_fpo_endprologue
	jmp	Lout
	.p2align 4
Lout:	ret
	.cv_fpo_endproc
_g:	.cv_fpo_proc	_g 0
	subl	$12, %esp
	.cv_fpo_stackalloc	12
	.cv_fpo_endprologue
	ret
	.cv_fpo_endproc
	.section .debug$S,"dr"
	.p2align 2
	.long	4
	.cv_fpo_data	_f
	.cv_fpo_data	_g
	.cv_stringtable
