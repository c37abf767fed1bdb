# OPTIONS --compat=llvm --target=i686-w64-mingw32 -g
.Lfirst:
        nop
