# llvm
# What only a size, a place or a LEB128 number mentions is listed where it is defined; and so are labels of tables.
foo:    nop
        .uleb128 second-foo
        .fill   third-second, 1
        .skip   third-second
        .reloc  fourth, R_X86_64_NONE, fifth
first:  nop
second: nop
third:  nop
fourth: nop
fifth:  nop
        .cfi_startproc
        .cfi_label frame
        .cfi_endproc
        .file   1 "a.c"
        .loc    1 1
        .loc_label row
        .text
        nop
        .weakref weak, target
        call    weak
        .uleb128 constant & 1
last:   nop
        .set    constant, 3
target: nop
        # Defined is what has a place, or a number, by now.
        .set    alias, later+1
        .ifdef  alias
        .byte   1
        .endif
        .set    distance, later-last
        .ifdef  distance
        .byte   2
        .endif
later:  nop
        .ifdef  alias
        .byte   3
        .endif
        .irpc   x, "a,1"
        .ascii  "\x"
        .endr
        .bss
        .balignl 8, 0x12345678
