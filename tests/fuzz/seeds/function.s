00	.file	"mini.c"
	.text
	.globl	f
	.p2align 4
	.type	f, @function
f:
.LFB0:
	.file 1 "mini.c"
	.loc 1 1 23 view .LVU1
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	leal	(%rdi,%rdi,2), %eax
	testl	%eax, %eax
	jne	.L2
	call	g@PLT
	movq	h@GOTPCREL(%rip), %rax
	.p2align 4,,10
	.p2align 3
.L2:
	popq	%rbp
	.cfi_def_cfa 7, 8
	ret
	.cfi_endproc
.LFE0:
	.size	f, .-f
	.section	.rodata.str1.1,"aMS",@progbits,1
.LC0:
	.string	"text\n"
	.section	.debug_info,"",@progbits
.Linfo:
	.long	.Lend-.Lbegin
.Lbegin:
	.value	0x5
	.uleb128 .LFE0-.LFB0
	.quad	.LFB0
.Lend:
	.ident	"GCC: (Debian)"
	.section	.note.GNU-stack,"",@progbits
