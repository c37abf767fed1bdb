# OPTIONS --target=aarch64-linux-gnu
// What is found out when the object is made: operators, and targets out of reach.
        add x0, x1, :got:x              // ERROR 21 :got: can't stand here
        ldr w0, [x1, :abs_g1:x]         // ERROR 22 :abs_g1: can't stand here
        cbz x0, :lo12:x                 // ERROR 17 :lo12: can't stand here
        ldr x0, [x1, :gotpage_lo14:x]   // ERROR 22 for addresses of 32 bits
        ldr x0, [x1, x]                 // ERROR 22 needs a relocation operator
        b far                           // ERROR 11 out of reach
        b.eq mid                        // ERROR 14 out of reach
        tbz x0, #1, mid                 // ERROR 21 out of reach
        ldr x1, mid                     // ERROR 17 out of reach
        adr x0, mid                     // ERROR 17 out of reach
        b odd                           // ERROR 11 not a multiple of 4
        movz x0, :abs_g0:late           // ERROR 18 does not fit in 16 bits
        .byte x                         // ERROR 15 no relocation for one byte
        .p2align 2
near:   .skip 0x8000
        .skip 0x100000
mid:    .skip 0x8000000
far:    .byte 1
odd:    .byte 0
        .set late, 0x123456789
