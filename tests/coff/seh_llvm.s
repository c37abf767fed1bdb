# msvc64 mingw64
# Chained regions, associated tables, epilogues in version 2.
	.section .text,"xr",discard,f
	.globl	f
	.seh_proc f
f:	pushq	%rbx
	.seh_pushreg %rbx
	.seh_endprologue
	nop
	.seh_startchained
	pushq	%rsi
	.seh_pushreg %rsi
	.seh_endprologue
	nop
	.seh_endchained
	ret
	.seh_endproc
	.section .other,"xr"
	.seh_proc g
g:	.seh_endprologue
	ret
	.seh_endproc
	.text
	.seh_proc h
	.seh_unwindversion 2
h:	pushq	%rbx
	.seh_pushreg %rbx
	subq	$32, %rsp
	.seh_stackalloc 32
	.seh_endprologue
	.seh_startepilogue
	addq	$32, %rsp
	.seh_unwindv2start
	popq	%rbx
	.seh_endepilogue
	ret
	nop
	.seh_startepilogue
	addq	$32, %rsp
	.seh_unwindv2start
	popq	%rbx
	.seh_endepilogue
	ret
	.seh_endproc
	# An odd number of codes is filled up; the end is that of the funclet, and may lie behind alignments.
	.seh_proc i
	.seh_unwindversion 2
i:	pushq	%rbx
	.seh_pushreg %rbx
	.seh_endprologue
	.rept	3
	nop
	.seh_startepilogue
	.seh_unwindv2start
	popq	%rbx
	.seh_endepilogue
	ret
	.p2align 4
	.endr
	.skip	600
	.seh_endfunclet
	.long	1
	.seh_endproc
	.seh_proc j
	.seh_unwindversion 2
j:	pushq	%r15
	.seh_pushreg %r15
	.seh_endprologue
	.seh_startepilogue
	.seh_unwindv2start
	popq	%r15
	.seh_endepilogue
	ret
	.seh_endfunclet
	nop
	.seh_endproc
