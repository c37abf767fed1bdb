# gnu --gsframe
# llvm --gsframe
# .sframe: which rows are made of what, which functions are left out, how wide addresses and offsets are.
f0:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_def_cfa %rbp,32
	nop
	.cfi_endproc
f1:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_def_cfa %rbx,32
	nop
	.cfi_endproc
f2:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_def_cfa_register %rbx
	nop
	.cfi_endproc
f3:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp,-16
	nop
	.cfi_endproc
f4:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_offset %rip,-24
	nop
	.cfi_endproc
f5:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_val_offset %rbp,8
	nop
	.cfi_endproc
f6:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_val_offset %rbx,8
	nop
	.cfi_endproc
f7:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_val_offset %rsp,8
	nop
	.cfi_endproc
f8:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_register %rbx,%rax
	nop
	.cfi_endproc
f9:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_undefined %rip
	nop
	.cfi_endproc
f10:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_same_value %rbp
	nop
	.cfi_endproc
f11:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_restore %rbp
	nop
	.cfi_endproc
f12:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp,-16; .cfi_restore %rbp
	nop
	.cfi_endproc
f13:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp,-16; nop; .cfi_restore %rbp
	nop
	.cfi_endproc
f14:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_remember_state; .cfi_def_cfa_offset 24; nop; .cfi_restore_state
	nop
	.cfi_endproc
f15:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_escape 1
	nop
	.cfi_endproc
f16:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_escape 0x2e,0
	nop
	.cfi_endproc
f17:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_escape 0x2e,16
	nop
	.cfi_endproc
f18:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_def_cfa %rbp,32; .cfi_escape 0x2e,8
	nop
	.cfi_endproc
f19:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_escape 0x0f,3,0x76,0x78,6
	nop
	.cfi_endproc
f20:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_window_save; nop; .cfi_remember_state; nop; .cfi_window_save; nop; .cfi_restore_state
	nop
	.cfi_endproc
f21:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_signal_frame
	nop
	.cfi_endproc
f22:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_def_cfa_offset -8
	nop
	.cfi_endproc
f23:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_rel_offset %rbp,0
	nop
	.cfi_endproc
f24:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_def_cfa_offset 200000
	nop
	.cfi_endproc
f25:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.skip 70000; .cfi_def_cfa_offset 8
	nop
	.cfi_endproc
f26:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.skip 254; .cfi_def_cfa_offset 8
	nop
	.cfi_endproc
f27:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.skip 253; .cfi_def_cfa_offset 8
	nop
	.cfi_endproc
f28:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_def_cfa_offset 127
	nop
	.cfi_endproc
f29:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_def_cfa_offset 128
	nop
	.cfi_endproc
f30:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp,-128
	nop
	.cfi_endproc
f31:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp,-136
	nop
	.cfi_endproc
f32:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_def_cfa_offset 32767
	nop
	.cfi_endproc
f33:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp,-16; nop; .cfi_same_value %rbp; nop; .cfi_undefined %rbx
	nop
	.cfi_endproc
f34:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	nop; .cfi_undefined %rbx; nop; .cfi_def_cfa_offset 24
	nop
	.cfi_endproc
f35:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_remember_state; nop; .cfi_def_cfa_offset 24; nop; .cfi_remember_state; nop; .cfi_def_cfa_offset 40; nop; .cfi_restore_state; nop; .cfi_restore_state
	nop
	.cfi_endproc
f36:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_def_cfa %rbx,8; nop; .cfi_def_cfa_offset 40
	nop
	.cfi_endproc
f37:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_def_cfa_register %rbp; nop; .cfi_def_cfa_register %rsp
	nop
	.cfi_endproc
f38:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_def_cfa_offset 16; nop; .cfi_def_cfa_offset 16
	nop
	.cfi_endproc
	.section .text.simple, "ax", @progbits
simple:
	.cfi_startproc simple
	.cfi_def_cfa %rsp, 8
	nop
	.cfi_endproc
empty:
	.cfi_startproc
	.cfi_endproc
