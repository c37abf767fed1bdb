// OPTIONS --compat=llvm --target=aarch64-pc-windows-msvc
// What is found when code has been laid out
f:
        .seh_proc f                     // ERROR 9 this prologue has 8 bytes of instructions, and .seh_ directives for 4
        nop
        nop
        .seh_save_fplr_x 16
        .seh_endprologue
        .seh_startepilogue              // ERROR 9 this epilogue has 0 bytes of instructions, and .seh_ directives for 4
        .seh_save_fplr_x 16
        .seh_endepilogue
        ret
        .seh_endproc
g:
        .seh_proc g                     // ERROR 9 length of 5 bytes is no multiple of 4
        .seh_endprologue
        .zero 5
        .seh_endproc
        .p2align 2
