# Warnings as errors.
# OPTIONS --fatal-warnings
        .byte 256                       # ERROR 15 truncated
