	.file "code.c"
	.text
	.globl foo
	.type foo,@function
foo:	movl $1,%eax
	.macro m a
	movl $\a,%ebx
	nop
	.endm
	m 5
	call bar
	.rept 3
	.byte 1,2
	.endr
	.if 0
	.byte 9
	.endif
x = 5
	.comm cc,4
.Lx:	.p2align 4
	ret
	.data
	.ascii "hello world this is a long string for continuation lines and more of it"
	.data; .byte 1
	.bss
	.zero 100
