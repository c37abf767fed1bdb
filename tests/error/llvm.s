# OPTIONS --compat=llvm
# Where LLVM reads on differently than GNU as.
        .macro m a:what                 # ERROR 20 expected ':req' or ':vararg'
        .endm                           # ERROR 9 .endm without .macro
        .rept -1                        # ERROR 15 negative number of repetitions
        .endr                           # ERROR 9 .endr without
        .if undefined_symbol            # ERROR 13 must be a constant
        .error "read"                   # ERROR 9 read
        .endif
        .abort                          # ERROR 9 .abort directive
        .error "goes on"                # ERROR 9 goes on
        .ds.w -1                        # WARNING 9 negative size
        .skip -1                        # ERROR 9 must not be negative
        .lcomm x, 4, 4                  # ERROR 22 takes no alignment
        .weak w
        .local w                        # ERROR 9 binding of 'w' is changed
.:                                      # ERROR 1 is the current place
        .if 1                           # NOTE 9 it was opened here
        nop
# ERROR 21:1 this conditional has no .endif
