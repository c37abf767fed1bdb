# gnu64 gnu32 --gdwarf-5 --gdwarf-sections
        .file   "t.c"
        .text
        .file 1 "a.c"
f:      .loc 1 1 0
        nop
        .section .text$foo,"x"
        .loc 1 3
        nop
        .section .rest,"x"
        .loc 1 4
        nop
