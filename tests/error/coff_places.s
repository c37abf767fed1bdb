# OPTIONS --compat=llvm --target=x86_64-pc-windows-msvc
        .comm   c, 4
        .data
        .secnum nowhere                 # ERROR 9 'nowhere' is not in a section
        .secoffset c                    # ERROR 9 'c' is not in a section
