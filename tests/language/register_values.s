# both
# A name takes what another one stands for; registers can be compared; a label's number may have blanks behind it.
a = %rax
b = %rcx
.set	c, b
t = a		# round they go
a = b
b = t
	mov	a, b
	add	$1, c
	.macro	frame base:req
	.if	\base == %rsp
	push	$1
	.elseif \base != %rbp
	push	$2
	.else
	push	$3
	.endif
	.endm
	frame	%rsp
	frame	%rbp
	frame	%rbx
	.if %rax <> %rcx
	nop
	.endif
0 :
	jmp	0b
	.rept	2
1	:	jmp	1b
	.endr
