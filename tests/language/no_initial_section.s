# llvm -n
# Without a section from the start, .text is only where it is chosen.
  .globl x
  .set a, 5
  .data
  .byte 1
