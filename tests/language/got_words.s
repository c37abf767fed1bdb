# both
# Operations of 16 bits have GOT relocations that linkers leave alone.
        cmp     foo@GOTPCREL(%rip), %dx
        cmp     foo@GOTPCREL(%rip), %edx
        mov     foo@GOTPCREL(%rip), %ax
        test    %ax, foo@GOTPCREL(%rip)
        test    %eax, foo@GOTPCREL(%rip)
        .intel_syntax noprefix
        mov     eax, foo-4[rbx]
        mov     eax, dword ptr 8-4[rbp]
        .att_syntax
