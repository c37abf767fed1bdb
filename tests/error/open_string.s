# A string that is not closed: said once where it begins, however many lines it runs over.
        .ascii "a               # ERROR 16 string is not closed
        nop                     # WARNING 2:16 runs over the end of the line
        nop
        nop
