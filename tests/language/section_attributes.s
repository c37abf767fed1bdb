# gnu
# Attributes that are written replace the name's own if they have what those have not; arrays keep their type.
        .section .tbss, "aMS", @progbits, 4
        .section .data.x, "aMS", @progbits, 1
        .section .data, "aG", @note, group
        .section .rodata.str, "aMSG", @progbits, 1, group, comdat
        .section .init_array, "a", @note
        .section .fini_array.5, "ax", @progbits
        .quad   0
        .text
        .type   whole, @common
        .comm   whole, 8
        .type   part, @common
        .comm   .Llisted, 16, 8
        .globl  "\x61b"
        .set    "q\x41z", 4
