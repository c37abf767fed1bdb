# llvm-aarch64
# gnu-aarch64
# Sections of code are aligned to 4: for LLVM from the start, for GNU as once they have code.
        .section .init
        nop
        .section empty, "ax"
        .section table, "ax"
        .word   1
        .section plain, "a"
        .word   1
