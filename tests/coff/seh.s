# gnu64 msvc64 mingw64
# Unwind information: every operation, handlers with data, sections of their own.
	.text
	.globl	f
	.def	f; .scl 2; .type 32; .endef
	.seh_proc f
f:	pushq	%rbp
	.seh_pushreg %rbp
	pushq	%r15
	.seh_pushreg %r15
	subq	$64, %rsp
	.seh_stackalloc 64
	leaq	32(%rsp), %rbp
	.seh_setframe %rbp, 32
	movq	%rsi, 8(%rbp)
	.seh_savereg %rsi, 40
	movaps	%xmm6, 16(%rbp)
	.seh_savexmm %xmm6, 48
	.seh_endprologue
	.seh_handler handler, @unwind, @except
	call	h
	nop
	ret
	.seh_handlerdata
	.long	0x1234
	.text
	.seh_endproc
	.p2align 4
	.def	g; .scl 3; .type 32; .endef
	.seh_proc g
g:	subq	$4096, %rsp
	.seh_stackalloc 4096
	.seh_savereg %rdi, 524280
	.seh_savereg %rbx, 1048576
	.seh_savexmm %xmm15, 2097152
	.seh_stackalloc 1048576
	.seh_endprologue
	jmp	.Lfar
	.p2align 6
	.skip	200
.Lfar:	ret
	.seh_endproc
	.seh_proc interrupt
interrupt:
	.seh_pushframe
	.seh_endprologue
	iretq
	.seh_endproc
	.section .text$own,"x"
	.seh_proc own
own:	ret
	.seh_endproc
	.section .text$shared,"x"
	.linkonce discard
	.globl	shared
	.seh_proc shared
shared:	pushq	%rbx
	.seh_pushreg %rbx
	.seh_endprologue
	popq	%rbx
	ret
	.seh_endproc
