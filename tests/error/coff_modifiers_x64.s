# OPTIONS --target=x86_64-pc-windows-msvc
# The reference assemblers drop these modifiers without a word: the relocation would be another one.
        .quad foo@IMGREL                        # ERROR 15 no COFF relocation for a symbol in a field of 8 bytes
        movabsq $foo@IMGREL, %rax               # ERROR 17 no COFF relocation for a symbol in a field of 8 bytes
        movabsq foo@IMGREL, %rax                # ERROR 17 no COFF relocation for a symbol in a field of 8 bytes
        .long foo@IMGREL-.                      # ERROR 15 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        call foo@IMGREL                         # ERROR 14 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        jmp foo@IMGREL                          # ERROR 13 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        jne foo@IMGREL                          # ERROR 13 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        call *foo@IMGREL(%rip)                  # ERROR 14 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        jmp *foo@IMGREL(%rip)                   # ERROR 13 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        movq foo@IMGREL(%rip), %rax             # ERROR 14 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        movl foo@IMGREL(%rip), %eax             # ERROR 14 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        addq foo@IMGREL(%rip), %rax             # ERROR 14 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        leaq foo@IMGREL(%rip), %rax             # ERROR 14 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        leal foo@IMGREL(%rip), %eax             # ERROR 14 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        movq foo@IMGREL(%rip), %r16             # ERROR 14 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        jmp foo@SECREL32                        # ERROR 13 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        jne foo@SECREL32                        # ERROR 13 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        .quad foo@SECREL32                      # ERROR 15 no COFF relocation for a symbol in a field of 8 bytes
        .long foo@SECREL32-.                    # ERROR 15 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        call foo@SECREL32                       # ERROR 14 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        movabsq $foo@SECREL32, %rax             # ERROR 17 no COFF relocation for a symbol in a field of 8 bytes
        movabsq foo@SECREL32, %rax              # ERROR 17 no COFF relocation for a symbol in a field of 8 bytes
        call *foo@SECREL32(%rip)                # ERROR 14 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        jmp *foo@SECREL32(%rip)                 # ERROR 13 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        movq foo@SECREL32(%rip), %rax           # ERROR 14 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        movl foo@SECREL32(%rip), %eax           # ERROR 14 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        addq foo@SECREL32(%rip), %rax           # ERROR 14 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        leaq foo@SECREL32(%rip), %rax           # ERROR 14 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        leal foo@SECREL32(%rip), %eax           # ERROR 14 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        movq foo@SECREL32(%rip), %r16           # ERROR 14 no COFF relocation for a symbol in a PC-relative field of 4 bytes
