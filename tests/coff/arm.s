# msvcarm mingwarm: the fields and relocations of Thumb code for Windows, and what is settled without the linker.
        .syntax unified
        .text
        .def    probe
        .scl    2
        .type   32
        .endef
        .globl  probe
        .p2align 2
        .code   16
        .thumb_func
probe:
        push.w  {r4, r5, r11, lr}
        movw    r4, #4128               @ the stack probe, near
        bl      __chkstk
        sub.w   sp, sp, r4
        movw    r12, :lower16:__chkstk  @ and with the large code model
        movt    r12, :upper16:__chkstk
        movw    r4, #4128
        blx     r12
        sub.w   sp, sp, r4
        movw    r0, :lower16:data+70
        movt    r0, :upper16:data+70
        movw    r0, :lower16:.Llocal
        movt    r0, :upper16:.Llocal
        bl      local
        blx     other
        b       far
        beq     far
        bne.w   far
        b       .Lhere
        cbz     r0, .Lhere
        ldr     r0, .Lpool
        adr     r1, .Lpool
        vldr    d0, .Lpool
        ldrd    r0, r1, .Lpool
.Lhere: pop.w   {r4, r5, r11, pc}
        .p2align 3
.Lpool: .long   data, 1
        .def    local
        .scl    3
        .type   32
        .endef
        .thumb_func
local:  bx      lr
        .data
        .globl  data
data:   .long   probe, probe+4, local
        .long   other-.
        .secrel32 data
        .secidx data
        .secidx .Llocal
        .short  0, 0, 0
        .rva    probe
.Llocal: .long  .Llocal
