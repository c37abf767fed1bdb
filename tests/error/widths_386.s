# OPTIONS --32
        .byte   x@GOT                   # ERROR 17 no relocation for GOT in a field of 1 byte
        .short  x@GOTOFF                # ERROR 17 no relocation for GOTOFF in a field of 2 bytes
        .quad   x@PLT                   # ERROR 17 no relocation for PLT in a field of 8 bytes
        movw    $x@TPOFF, %ax           # ERROR 17 no relocation for TPOFF in a field of 2 bytes
        .long   x@GOT
