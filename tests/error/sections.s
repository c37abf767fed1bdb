# Sections and symbols.
        .section                        # ERROR 41 expected a section name
        .section .foo, "zz"             # ERROR 24 unknown section flag 'z'
        .type x, @bogus                 # ERROR 18 unknown symbol type 'bogus'
        .size x                         # ERROR 41 expected a comma
        .globl                          # ERROR 41 expected a symbol name
        .set x                          # ERROR 41 expected a comma
        .comm z, -1                     # ERROR 18 size must not be negative
        .p2align 99                     # WARNING 9 exceeds the limit of 2
        .align 3                        # ERROR 9 alignment 3 is not a power of two
