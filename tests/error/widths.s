# Relocations of 32 or 64 bits in fields of another width.
        addq    $x@GOTOFF, %rax         # ERROR 17 no relocation for GOTOFF in a field of 4 bytes
        pushq   $x@GOTPLT               # ERROR 17 no relocation for GOTPLT in a field of 4 bytes
        .byte   x@GOTPCREL              # ERROR 17 no relocation for GOTPCREL in a field of 1 byte
        .quad   x@GOTPCREL_NORELAX      # ERROR 17 no relocation for GOTPCREL_NORELAX in a field of 8 bytes
        .quad   x@GOTOFF, x@PLTOFF
