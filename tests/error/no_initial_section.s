# Without a section from the start (-n), the first thing that needs one is told; it and the rest go to .text.
# OPTIONS --compat=llvm -n
        .globl a
        .set b, 5
        .long 0                         # ERROR 9 no section has been chosen for this yet
        nop
a:
