# OPTIONS --target=i686-pc-windows-msvc
# The reference assemblers drop these modifiers without a word: the relocation would be another one.
        .long foo@IMGREL-.                      # ERROR 15 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        call foo@IMGREL                         # ERROR 14 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        jmp foo@IMGREL                          # ERROR 13 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        jne foo@IMGREL                          # ERROR 13 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        jmp foo@SECREL32                        # ERROR 13 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        jne foo@SECREL32                        # ERROR 13 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        .long foo@SECREL32-.                    # ERROR 15 no COFF relocation for a symbol in a PC-relative field of 4 bytes
        call foo@SECREL32                       # ERROR 14 no COFF relocation for a symbol in a PC-relative field of 4 bytes
