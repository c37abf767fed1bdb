00.cfi_sections .eh_frame,.debug_frame
.cfi_startproc
.cfi_personality 0x9b,p
.cfi_lsda 0x1b,l
nop
.cfi_remember_state
.cfi_def_cfa_offset 32
.skip 70
.cfi_restore_state
.cfi_escape 0x0f,3,0x77,8,6
.cfi_register 3,4
.cfi_undefined rip
.cfi_return_column 16
.cfi_val_encoded_addr 3,0x1b,p
.cfi_endproc
.cfi_startproc simple
.cfi_signal_frame
.cfi_endproc
