05f:
.cfi_startproc
stp x29,x30,[sp,-16]!
.cfi_def_cfa_offset 16
adrp x0,:got:a
ldr x0,[x0,:got_lo12:a]
ldr x1,=0x123456789
ldr w2,=b+4
mov x3,#-1
add v0.4s,v1.4s,v2.4s
ld1 {v0.8b-v3.8b},[x0],#32
ptrue p0.s
ld1w {z0.s},p0/z,[x1,x2,lsl #2]
tbz x0,#3,f
b.ne f
msr S3_0_C1_C0_1,x0
.ltorg
.cfi_endproc
.inst 0xd503201f
.req foo,x1
