# llvm
# What only sizes mention is not listed; @common is an object's type.
        .text
f:      nop
        .size   third, first-second
        .size   third, .-fourth
        .type   whole, @common
        .globl  "\x61b"
