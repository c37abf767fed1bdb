# What the end of the text leaves open.
        .macro m                        # ERROR 9 has no .endm
        nop
