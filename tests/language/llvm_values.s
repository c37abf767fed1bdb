# llvm
# What llvm-mc has: numbers with a point stand for their bits as a double, sizes of what is one symbol plus a number.
        .data
        .quad   1.5, -1.5, 1e3
        .uleb128 1.5
        .byte   1
before: .globl before
        .type before, @object
        .set    alias, before
        .set    further, alias+1
        .globl  further, alias
        .size   before, 42
        .size   alias, 41
        .size   unknown, . - unknown
        .no_dead_strip kept
        .byte   5-before
