@ msvcarm mingwarm: directives of ARM in objects for Windows
        .syntax unified
        .text
        .align  2
        .thumb
name    .req    r3
        mov     name, #1
        .unreq  name
        .inst.n 0xbf00
        .inst.w 0xf3af8000
        .even
        .arch_extension idiv
        .thumb_func
function:
        ldr     r0, =elsewhere
        bx      lr
        .pool
