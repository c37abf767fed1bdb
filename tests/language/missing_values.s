# gnu
# What GNU as makes of operands that are not there, of large numbers and of comparisons between anything.
        .data
        .asciz  <65>, "b", <66><67>, "x"<68>
        .ascii  , "a",, "b"
        .octa   , 1,
        .float  1,, 2
        .dcb.s  2,
        .slong  1,
        .ds.x   1, -1
        .ds.x   3
        .ds.x   2, 5
        .uleb128 0x123456789abcdef0123, -1, 0xffffffffffffffff
        .sleb128 -0x123456789abcdef0123, 0xffffffffffffffff, 0x8000000000000000, -0x8000000000000001
        .nops   -1
        .long   place==elsewhere, place==5, place!=5, nowhere==nowhere, nowhere==place
        .long   5-place
        .quad   -place
place:
        .byte   "na" "me"
        .type   typed, 1
        .text
elsewhere:
        nop
        .p2align 3,
        .section .wide, "a"
        .cfi_sections .debug_frame
        .cfi_startproc
        .cfi_escape
        .cfi_escape 1,
        .cfi_endproc
