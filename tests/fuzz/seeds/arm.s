0:.syntax unified
.thumb
.thumb_func
f:push {r4,lr}
ldr r0,=0x12345678
it eq
moveq r0,#1
bl f(PLT)
.pool
.arm
ldmia r0!,{r1-r3}
vadd.f32 s0,s1,s2
.fnstart
.save {r4,lr}
.fnend
