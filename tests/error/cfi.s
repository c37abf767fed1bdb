# Frame directives.
        .cfi_offset %rbx, -16           # ERROR 9 .cfi_startproc
        .cfi_startproc                  # NOTE 3:9 opened here
        .cfi_startproc                  # ERROR 9 still open
        .cfi_endproc
        .cfi_endproc                    # ERROR 9 .cfi_startproc
        .cfi_bogus                      # ERROR 9 unknown instruction or directive
