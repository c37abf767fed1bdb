// OPTIONS --compat=llvm --target=aarch64-pc-windows-msvc
        bl x + 4                        // ERROR 12 the linker finds a symbol here
        ldr x0, x                       // ERROR 17 no COFF relocation for this field
        add x0, x0, x                   // ERROR 21 needs a relocation operator
        add x0, x0, :tprel_lo12:x       // ERROR 21 :tprel_lo12: can't stand here in COFF
        add x0, x0, :secrel_hi12:x + 4  // ERROR 21 the linker finds a symbol here
        .byte x                         // ERROR 15 no COFF relocation for a symbol in a field of 1 byte
        .hword x                        // ERROR 16 field of 2 bytes
        .xword x@IMGREL                 // ERROR 16 field of 8 bytes
