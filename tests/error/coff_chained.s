# OPTIONS --compat=llvm --target=x86_64-pc-windows-msvc
        .seh_proc g
        .seh_startchained
        .seh_endprologue
        .seh_startepilogue
        .seh_endchained                 # ERROR 9 an epilogue is still open
        .seh_startchained               # ERROR 9 an epilogue is still open
        .seh_endepilogue
        .seh_endchained
        .seh_endproc
