10	.text
	.globl	f                               # -- Begin function f
	.type	f,@function
f:
	.file	0 "/d" "m.c" md5 0xb7a4b6027ce082dfab9ae8091c6e3c8a
	.cfi_startproc
	.loc	0 1 48 prologue_end
	leal	(%rdi,%rdi,2), %eax
	retq
.Lfunc_end0:
	.size	f, .Lfunc_end0-f
	.cfi_endproc
	.section	.debug_abbrev,"",@progbits
	.byte	1
	.addrsig
	.addrsig_sym f
