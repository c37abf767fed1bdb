# llvm
# A fill value that is a no-op is nothing but a value.
        nop
        .p2align 4, 0x90
        nop
        .balign 16, 0x90, 15
        nop
        .align  16, 0x90
        nop
        .p2align 4
