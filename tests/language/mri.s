# gnu --mri
# MRI mode, as far as GNU as has it on x86: macros whose arguments have numbers, comments behind conditionals, and even
# addresses behind odd numbers of bytes.
        .macro  two a, b
        .byte   a, b, NARG
        .ascii  "a\b"
        .endm
        two     5, 6 a comment
        two     <7>, "8", 9
        .macro  numbered
        .byte   \1+0, \2+0, \B+0, \0 NARG, 1\@
        .endm
        numbered 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        numbered
named:  .macro  x
        .byte   x, \1, NARG
        .endm
        named   5
        .irp    x, 1, 2
        .byte   x
        .endr
        .irpc   x, 12
        .byte   \x 3
        .endr
        .rept   2
        .byte   9
        .endr
        .if     0 a comment
        .byte   1
        .elseif 1
        .byte   2
        .else   a comment
        .byte   3
        .endif  a comment
        .ifb
        .byte   4
        .endc   a comment
        .byte   2
label:  nop
        .dc.b   1
        .ds.b   1
        .dcb.b  1, 5
        .long   label
        .data
        .space  1
        .long   2
        .offset 4
offset: .ds.b   1
        .text
        .byte   offset
x       = 1
        .globl  x
        .byte   x
        .mri    0
        .section .after, "a"
        .byte   1
        .long   2
