ldr x0, =0x12345678
.ltorg
.cfi_startproc
nop
.cfi_endproc
