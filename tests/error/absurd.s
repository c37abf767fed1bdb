# Counts that nobody means.
        .rept 1<<60                     # ERROR 9 1152921504606846976 rounds of .* exceed the limit
        nop
        .endr
        .rept 4000000000                # ERROR 9 exceed the limit
        .byte 1
        .endr
        .fill 1<<60                     # ERROR 15 exceed the limit
        .fill 1<<60, 8, 1               # ERROR 15 exceed the limit
        .space 1<<40                    # ERROR 16 exceed the limit
