# gnu --gstabs
# gnu --gstabs+
# Stabs for the assembly source: lines of instructions, .func, other files.
	.text
	.globl f
f:
	nop
	nop; nop
	.macro m
	nop
	ret
	.endm
	m
	.func g
g:	nop
	jmp g
	.endfunc
	.data
	.long 1
	.section .text.x,"ax"
h:	nop
	.text
	nop
	.func k, kk
k: kk:	nop
	.endfunc
	.long 5
# 12 "foo.c"
	nop
