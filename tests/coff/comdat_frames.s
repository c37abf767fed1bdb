# gnu64 gnu32: frames of COMDATs have sections and CIEs of their own.
	.cfi_sections .eh_frame, .debug_frame
	.macro fn name
\name:	.cfi_startproc
	nop
	.cfi_def_cfa_offset 24
	.cfi_endproc
	.endm
	.text
	fn f0
	.section .text$a,"x"
	.linkonce discard
	fn fa
	.section .text$b,"x"
	fn fb
	.section .text.unlikely,"x"
	fn fu
	.section .foo,"x"
	fn ff
	.section .text$c.d,"x"
	.linkonce same_size
	fn fc
	.section .text.x$y,"x"
	.linkonce discard
	fn fy
	.section .text.plain,"x"
	.linkonce discard
	fn fp
	.section .plain,"x"
	.linkonce discard
	fn fpp
	.section foo$z,"x"
	.linkonce discard
	fn fz
	.section .text$a2$b,"x"
	.linkonce discard
	fn fa2
	.section .text$b,"x"
	fn fb2
	.section .gnu.linkonce.t.xx,"x"
	fn lo
	.text
	fn f2
