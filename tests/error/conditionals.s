# Conditionals.
        .endif                          # ERROR 9 .endif without .if
        .else                           # ERROR 9 .else without .if
        .if                             # ERROR 41 expected an expression
        .endif
        .if undefined_symbol + 1        # ERROR 13 constant
        .endif
        .if 1                           # ERROR 9 no .endif
