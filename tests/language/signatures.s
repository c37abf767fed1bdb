# both
# What an undefined signature is, if something is said of it.
  .section .text.a, "axG", @progbits, a, comdat
  nop
  .section .text.b, "axG", @progbits, b, comdat
  nop
  .section .text.c, "axG", @progbits, c, comdat
  nop
  .protected b
  .globl c
