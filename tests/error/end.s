# What only the end of the text shows.
        jmp 1f                          # ERROR 12 there is no label 1:
