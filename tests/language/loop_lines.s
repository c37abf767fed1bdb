# gnu -g
# gnu --gdwarf-5
# gnu --gstabs
# llvm -g
# Lines of instructions in loops, of macros in loops, of loops in macros.
	.text
	nop
	.rept 2
	.byte 1, 2
	nop
	ret
	.endr
	.irp x, 1, 2
	.byte \x
	nop
	.endr
	ret
	.irpc x, 34
	movl $\x, %eax
	.endr
	.macro m a
	movl $\a, %eax
	.rept 2
	movl $\a+1, %ebx
	.endr
	.endm
	m 5
	.rept 2
	nop
	m 6
	nop
	.endr
	.rept 2
	nop
	.rept 2
	ret
	.endr
	nop
	.endr
	ret
