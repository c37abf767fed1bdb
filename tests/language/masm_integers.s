# llvm -masm-integers
        .intel_syntax noprefix
        mov     eax, 0ffffffffh
        mov     eax, 0xa2h
        mov     eax, 10H
        add     rbx, 0b0h
        mov     ecx, [rax+101b]
        .long   101b, 17o, 17q, 12t, 12d, 0ddh, 11y, 0bh, 0dh, 0x10, 010, 25
