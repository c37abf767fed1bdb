# gnu
# Directives that one of the assemblers does not know.
	.struct 8
field1:	.space 4
field2:	.space 8
	.text
	movl field1(%rax), %ebx
	movl $field2, %ebx
	.offset 16
o1:	.space 2
	.text
	.long o1
	.func f
f:	nop
	.endfunc
	.nop
	.nops 5
	.data
	.attach_to_group sig2
	.byte 2
	.text
	.cfi_startproc
	nop
	.cfi_val_encoded_addr 3, 0x1b, f
	.cfi_endproc
	.tls_common tc, 8, 4
	.stabs "x", 36, 0, 1, f
	.stabn 68, 0, 3, f
	.subsection 2
	.byte 3
	.previous
	.byte 4
	.pushsection .data, 1
	.byte 5
	.popsection
	.section .bss
	.lcomm l, 4
	.weakref alias, target
	.text
	call alias
	.symver f, f@V1
	.reloc ., R_X86_64_NONE, f
	.reloc 0, BFD_RELOC_NONE
	.gnu_attribute 4, 1
	.ident "x"
	.version "v"
	.dc.b 1, 2
	.dc.w 3
	.dcb.b 2, 7
	.ds.b 3
	.sleb128 -1
	.2byte 1
	.value 2
	.hword 3
	.skip 3, 0x55
	.zero 2
	.p2align 3, , 4
	.balignw 4, 0x9090
