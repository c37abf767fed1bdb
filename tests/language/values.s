# gnu
# Values that GNU as takes its own way: `!!`, nothing for 0, characters by number.
        .byte   5!!3, 5!!!3, 5 ! !3, 5!!3+1, 1!!!!2
        .byte   late!!3
late    = 6
        .ascii  <65>, "a"<66><67>
        .ident  "a", "b"
        .fill   1,
        .skip   1,
        .fill   1,,2
        .balign 4, 0x90
        .nops
        .p2align 4, 0x90
