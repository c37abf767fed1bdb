@ msvcarm: every relocation modifier of objects for Windows in every field that has a relocation for it
        .syntax unified
        .text
        .word foo
        .long foo
        .4byte foo
        .word foo-.
        bl foo
        b foo
        blx foo
        movw r0, #:lower16:foo
        movt r0, #:upper16:foo
        .rva foo
