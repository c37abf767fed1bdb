# OPTIONS --target=thumbv7-linux-gnueabihf
# Thumb code: IT blocks, operands, and what belongs to functions.
        .syntax unified
        addne   r0, r0, r1      @ ERROR 9 must stand in an IT block
        it      eq
        movne   r0, r1          @ ERROR 9 the IT block wants condition `eq` here
        it      eq
        cbz     r0, 1f          @ ERROR 9 can't stand in an IT block
        itee    al              @ ERROR 9 has no else
        mov     r0, #0x12345678 @ ERROR 21 a number from 0 to 65535
        ldr     r0, [r1, #4096] @ ERROR 26 expected a number from -255 to 0
        ldm     r0, {}          @ ERROR 21 the list is empty
        vld1.8  {d0, d1, d4}, [r0]  @ ERROR 17 must be consecutive
        foo     r0              @ ERROR 9 unknown instruction
        rsc     r0, r1, r2      @ ERROR 9 `rsc` is no instruction of Thumb
        .code   8               @ ERROR 17 16 or 32
        .save   {r4}            @ ERROR 9 no function is open here
        .fnstart
        .save   {r4, d8}        @ ERROR 22 of one kind
        .personalityindex 3     @ ERROR 9 0 to 2 are known
        .fnend
        .fnend                  @ ERROR 9 no function is open here
        .eabi_attribute Tag_no_such, 1  @ ERROR 25 unknown attribute
        .arm
        strd    r1, r2, [r0]    @ ERROR 17 an even register
        mov     r0, #0x101      @ ERROR 17
1:      nop
