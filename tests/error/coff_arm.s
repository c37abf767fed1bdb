# OPTIONS --compat=llvm --target=thumbv7-pc-windows-msvc
        .syntax unified
        movt r0, #:lower16:x            @ ERROR 18 movt takes the upper half
        movw r0, #:upper16:x            @ ERROR 18 movw takes the lower half
