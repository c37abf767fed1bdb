# msvcarm mingwarm: unwind information of ARM, packed and not.
        .syntax unified
        .text
        .thumb
        .globl  packed
        .thumb_func
packed:
        .seh_proc packed
        push.w  {r4-r7, r11, lr}
        .seh_save_regs_w {r4-r7, r11, lr}
        add.w   r11, sp, #16
        .seh_nop_w
        sub     sp, #8
        .seh_stackalloc 8
        .seh_endprologue
        bl      other
        .seh_startepilogue
        add     sp, #8
        .seh_stackalloc 8
        pop.w   {r4-r7, r11, pc}
        .seh_save_regs_w {r4-r7, r11, lr}
        .seh_endepilogue
        .seh_endproc

        .thumb_func
chained:
        .seh_proc chained
        push    {r4, r5, r6, lr}
        .seh_save_regs {r4-r6, lr}
        sub     sp, #16
        .seh_stackalloc 16
        .seh_endprologue
        nop
        .seh_startepilogue
        add     sp, #16
        .seh_stackalloc 16
        pop     {r4, r5, r6, pc}
        .seh_save_regs {r4-r6, lr}
        .seh_endepilogue
        .seh_endproc

        .thumb_func
floats:
        .seh_proc floats
        push.w  {r11, lr}
        .seh_save_regs_w {r11, lr}
        mov     r11, sp
        .seh_nop
        vpush   {d8-d11}
        .seh_save_fregs {d8-d11}
        vpush   {q0-q1}
        .seh_save_fregs {q0-q1}
        .seh_endprologue
        nop
        .seh_startepilogue
        vpop    {q0-q1}
        .seh_save_fregs {q0,d2-d3}
        vpop    {d8-d11}
        .seh_save_fregs {d8-d11}
        pop.w   {r11, pc}
        .seh_save_regs_w {r11, lr}
        .seh_endepilogue
        .seh_endproc

        .thumb_func
homing:
        .seh_proc homing
        push    {r0-r3}
        .seh_save_regs {r0-r3}
        push    {r4, lr}
        .seh_save_regs {r4, lr}
        .seh_endprologue
        nop
        .seh_startepilogue
        pop     {r4}
        .seh_save_regs {r4}
        ldr     lr, [sp], #20
        .seh_save_lr 20
        bx      lr
        .seh_nop
        .seh_endepilogue
        .seh_endproc

        .thumb_func
folded:
        .seh_proc folded
        push    {r2, r3, r4, r5, lr}
        .seh_save_regs {r2-r5, lr}
        .seh_endprologue
        nop
        .seh_startepilogue
        pop     {r2, r3, r4, r5, pc}
        .seh_save_regs {r2-r5, lr}
        .seh_endepilogue
        .seh_endproc

        .thumb_func
long:
        .seh_proc long
        push.w  {r4-r9, lr}
        .seh_save_regs_w {r4-r9, lr}
        sub.w   sp, sp, #4096
        .seh_stackalloc_w 4096
        vpush   {d0-d3}
        .seh_save_fregs {d0-d3}
        vpush   {d16-d17}
        .seh_save_fregs {d16-d17}
        mov     r7, sp
        .seh_save_sp r7
        .seh_endprologue
        .seh_startepilogue_cond eq
        it eq
        popeq.w {r4-r9, lr}
        .seh_save_regs_w {r4-r9, lr}
        .seh_nop
        .seh_endepilogue
1:      nop
        .seh_startepilogue
        mov     sp, r7
        .seh_save_sp r7
        vpop    {d16-d17}
        .seh_save_fregs {d16-d17}
        vpop    {d0-d3}
        .seh_save_fregs {d0-d3}
        add.w   sp, sp, #4096
        .seh_stackalloc_w 4096
        pop.w   {r4-r9, lr}
        .seh_save_regs_w {r4-r9, lr}
        bx      lr
        .seh_nop
        .seh_endepilogue
        .seh_endproc

        .thumb_func
handled:
        .seh_proc handled
        .seh_handler __C_specific_handler, %except
        push    {r4, lr}
        .seh_save_regs {r4, lr}
        .seh_custom 0x12, 0x34
        .seh_endprologue
        nop
        .seh_startepilogue
        pop     {r4, pc}
        .seh_save_regs {r4, lr}
        .seh_endepilogue
        .seh_handlerdata
        .long   1
        .text
        .seh_endproc

        .thumb_func
fragment:
        .seh_proc fragment
        .seh_save_regs_w {r4-r11, lr}
        .seh_endprologue_fragment
        nop
        bx      lr
        .seh_endproc

        .text
        .thumb_func
unknown_length:                 @ a padding keeps it from being packed, even one of no bytes
        .seh_proc unknown_length
        push    {r4, lr}
        .seh_save_regs {r4, lr}
        .seh_endprologue
        .p2align 1
        nop
        .seh_endproc
