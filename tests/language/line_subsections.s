# both
# llvm-mc's rows follow the source from subsection to subsection.
  .file 1 "a.c"
  .text 1
  .loc 1 1
  nop
  .text
  .loc 1 2
  nop
  nop
  .text 1
  .loc 1 3
  nop
