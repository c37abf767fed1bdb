20f:
.cfi_startproc
pushq %rbp
.cfi_def_cfa_offset 16
.cfi_offset %rbp,-16
.cfi_remember_state
.cfi_def_cfa_register %rbp
nop
.cfi_restore_state
.cfi_escape 0x2e,8
.cfi_endproc
.cfi_sections .sframe
