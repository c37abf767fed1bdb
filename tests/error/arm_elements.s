# OPTIONS --target=armv7-linux-gnueabihf
# Immediates of elements that do not hold them: nothing of them is dropped.
        .syntax unified
        vmov.i8 q0, #255
        vmov.i8 q0, #256                @ ERROR 21 invalid operand
        vmov.i8 q0, #-1                 @ ERROR 21 invalid operand
        vmov.i16 d0, #0xffff
        vmov.i16 d0, #-1
        vmov.i16 d0, #0x10001           @ ERROR 22 invalid operand
        vmvn.i16 d0, #0x10001           @ ERROR 22 invalid operand
