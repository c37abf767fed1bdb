# both
# What escapes mean in names, identification strings and names of sections; a string as a value is a symbol.
        .ident  "a\101"
        .version "a\101"
        .byte   "a\101\"b\\"
"c\101\\": nop
        .long   "c\101\\"
        .section "d\101e", "a"
        .byte   1
