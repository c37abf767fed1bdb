# both
# PC sections: relative addresses, sizes and constants, plain or as ULEB128, in sections linked to the function's.
	.text
	.globl f
f:
.Lfunc_begin0:
	nop
.Lpcsection0:
	movl (%rdi), %eax
	ret
.Lfunc_end0:
	.section atomics,"awo",@progbits,.text
.Lpcsection_base0:
	.long .Lpcsection0-.Lpcsection_base0
	.long 1
	.section "covered!C","ao",@progbits,.text
.Lpcsection_base1:
	.long .Lfunc_begin0-.Lpcsection_base1
	.uleb128 .Lfunc_end0-.Lfunc_begin0
	.uleb128 0x1234567
.Lpcsection_base2:
	.quad .Lfunc_begin0-.Lpcsection_base2
