# gnu
# A label before .macro is its name.
first:  .macro  a, b
        .byte   \a, \b
        .endm
        first   4, 5
second : .macro a, b=3
        .byte   \a, \b
        .endm
        nop
        second  4
x: third: .macro
        .byte   1
        .endm
        third
