# OPTIONS --target=thumbv7-linux-gnueabihf -mcpu=generic --compat=llvm
# Where Thumb has no use for the stack pointer before Armv8.
        .syntax unified
        and     sp, r0, #0          @ ERROR 9 sp can't stand here
        mov.w   sp, sp              @ ERROR 9 sp can't stand here
        mov.w   sp, r0
        movs.w  r0, sp              @ ERROR 9 sp can't stand here
        add     sp, sp, r1
        add     sp, r0, r1          @ ERROR 9 sp can't stand here
        sub     sp, sp, #4096
        add.w   r0, r1, sp          @ ERROR 9 sp can't stand here
        cmp.w   sp, r1
        tst     sp, r1              @ ERROR 9 sp can't stand here
        strd    r12, sp, [r0]       @ ERROR 9 sp can't stand here
        ldrb    sp, [r0]            @ ERROR 9 sp can't stand here
        ldr     sp, [r0]
        ldr     r0, [r1, sp]        @ ERROR 9 sp can't stand here
        sxtb    sp, r0              @ ERROR 9 sp can't stand here
        mul     sp, r0, r1          @ ERROR 9 sp can't stand here
        vmrs    sp, fpscr           @ ERROR 9 sp can't stand here
        .arch_extension crc         @ ERROR 25 can't have the extension
        dmb     ishld               @ ERROR 9 requires v8
        .arch   armv8-a
        .arch_extension crc
        dmb     ishld
        and     sp, r0, #0
