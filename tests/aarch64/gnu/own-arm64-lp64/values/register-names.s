// Symbols with the names of registers, as functions and variables of C may have.
        bl x0
        bl fp
        b s1
        bl x0+4
        cbz x0, x1
        tbz x0, #1, w2
        b.eq d0
        adrp x0, s1
        add x0, x0, :lo12:s1
        ldr w1, [x0, :lo12:x1]
        adr x0, lr
        ldr x0, x1
        ldr w1, sp
        ldr x0, =x1
        prfm pldl1keep, x1
// As numbers, floating-point registers' names only.
        .set s2, 11
        sub x0, x1, s2
        add x0, x0, s12
        add x0, x1, #x9
        .set s12, 12
        .set x9, 12
        movz x1, #:abs_g3:minus
        .set minus, -5

        .struct 0
field:  .space 4
$other: .space 8
        .text
        ldr w1, [x0, $other]
        .data
s1:     .word 1
