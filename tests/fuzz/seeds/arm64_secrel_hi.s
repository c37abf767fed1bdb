17f:
.seh_proc f
stp x29,x30,[sp,#-32]!
.seh_save_fplr_x 32
str x19,[sp,#16]
.seh_save_reg x19,16
.seh_endprologue
nop
.seh_startepilogue
ldr x19,[sp,#16]
.seh_save_reg x19,16
ldp x29,x30,[sp],#32
.seh_save_fplr_x 32
.seh_endepilogue
ret
.seh_endproc
add x0,x0,:secrel_hi12:s
