# OPTIONS --target=thumbv7-linux-gnueabihf --compat=llvm
# Registers that must differ, and lists that can't be loaded or stored (targets/arm/unpredictable.cpp).
        .syntax unified
        .arm
        ldr     r0, [r0, #4]!       @ ERROR 9 written back, and is loaded
        ldr     r0, [r0], r1        @ ERROR 9 written back, and is loaded
        strh    r0, [r0, #2]!       @ ERROR 9 written back, and is stored
        ldrd    r2, r3, [r3], #4    @ ERROR 9 written back, and is loaded
        strd    r2, r3, [r2, #4]!   @ ERROR 9 written back, and is stored
        ldrd    lr, pc, [r1]        @ ERROR 9 lr can't be the first
        ldm     r2!, {r2, r3}       @ ERROR 9 can't be in the list
        stm     r2!, {r2, r3}
        stm     r2!, {r1}^          @ ERROR 9 can't write back
        ldm     r2!, {r1}^          @ ERROR 9 unless pc is loaded
        ldm     r2!, {r1, pc}^
        umull   r1, r1, r3, r4      @ ERROR 9 two halves
        smlaltt r1, r1, r3, r4      @ ERROR 9 two halves
        smlald  r1, r1, r3, r4      @ ERROR 9 two halves
        umull   r1, r2, r1, r2
        ldr.n   r0, [r1]            @ ERROR 9 no form of this width
        vaddeq.f16 s0, s1, s2       @ ERROR 9 can't be conditional
        it      eq
        addgt   r0, r0, #1          @ ERROR 9 the IT block wants condition `eq` here
        .thumb
        str     r0, [r0, #4]!       @ ERROR 9 written back, and is stored
        ldrb    pc, [r0, #4]        @ ERROR 9 pc can't be loaded or stored here
        ldr     pc, [r0, #4]
        str     r0, [r0, #-4]
        ldmdb   r2!, {r2, r3}       @ ERROR 9 can't be in the list
        push    {sp}                @ ERROR 9 written back, and is stored
        push    {pc}                @ ERROR 9 pc can't be loaded or stored here
        ldm     r0!, {r1, lr, pc}   @ ERROR 9 pc and lr
        ldrd    r0, r0, [r1]        @ ERROR 9 can't be the same
        smull   r1, r1, r3, r4      @ ERROR 9 two halves
        vmov.f32 s1, #0x70          @ ERROR 22 a floating-point number
        vmov.f32 s1, #0x3f800000
        itt     eq
        popeq   {r1, pc}            @ ERROR 9 the last of its IT block
        addeq   r0, r0
        vldrw.u32 q0, [r0, q0]      @ ERROR 9 can't be a source
        vldrw.u32 q1, [q1, #4]      @ ERROR 9 can't be a source
        vstrw.32 q1, [q1, #4]
        vmullb.s32 q3, q4, q3       @ ERROR 9 can't be a source
        vmullb.s16 q3, q4, q3
        vcmul.f32 q1, q5, q1, #0    @ ERROR 9 can't be a source
        sqrshr  r1, r1              @ ERROR 9 can't be the same
        cx1     p2, r0, #1
