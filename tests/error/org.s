# A section that would be too large.
        .org 1<<62                      # ERROR 14 section .text exceeds the limit
        .data
        .byte 1
        .org -1                         # ERROR 14 goes backwards, from 0x1 to -0x1
        .org a-.                        # ERROR 14 goes backwards
a:
