# gnu
# Undefined .L names are symbols from the relocations on.
  .long .Lone
  jmp .Ltwo
  .long three
  .symver four, four@V1
  .globl four
  .symver five, five@V1
  .long five
  .type six, @tls_object
  .type six, @object
  .section .tdata, "awT", @progbits
  .quad .Lthree
