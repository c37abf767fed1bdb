# OPTIONS --32
# REL: an addend of .reloc would have to be in the contents.
        .long 0
        .reloc 0, R_386_32, foo - 255   # ERROR 29 have no addend
        .reloc 0, R_386_NONE, foo + 4
