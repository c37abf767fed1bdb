# both
# .reloc names sections in place of .L symbols (GNU as), and stands at the end of its piece of the section (llvm-mc).
  .skip 16
  .reloc 0, R_X86_64_NONE, .L0+1
  .reloc ., R_X86_64_NONE, .L1
  .byte 1
  .p2align 0
  .long undefined
.L0:
  nop
  .reloc ., R_X86_64_NONE, named+2
  jmp away
  .section .rodata.str1.1, "aMS", @progbits, 1
  .byte 0
.L1:
named:
  .byte 0
