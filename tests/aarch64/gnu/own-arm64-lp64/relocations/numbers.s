// The page of a number is for the linker.
        adrp x0, 0x12345000
        adrp x1, 0x12345678
        .set before, 0x12345678
        adrp x2, before
        add x2, x2, :lo12:before
        adr x4, 8
        b 8
