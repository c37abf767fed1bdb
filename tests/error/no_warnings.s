# No warnings.
# OPTIONS -W
        .byte 256
