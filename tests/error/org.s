# A section that would be too large.
        .org 1<<62                      # ERROR 14 section .text exceeds the limit
