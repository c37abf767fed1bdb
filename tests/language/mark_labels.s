# gnu
# Labels are marked, places that an operand means by '.' are not.
        .file   1 "a.c"
        .loc_mark_labels 1
        .org    .+5
        .bss
        .balignw 4, 0x1234
