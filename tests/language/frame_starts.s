# both
# Where frames begin: behind an alignment of no bytes nothing is the CIE's (GNU as), and a simple frame begins with the CFA
# that the frame before it has left (llvm-mc). Personalities are listed as frames are written.
f0:
  .cfi_startproc
  .cfi_personality 0, q
  .p2align 2
  .cfi_undefined 6
  .cfi_adjust_cfa_offset 24
  nop
  .cfi_endproc
f1:
  .cfi_startproc simple
  .cfi_lsda 0x3, x
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset 3, 8
  .cfi_endproc
f2:
  .cfi_startproc
  .cfi_personality 0, p
  .cfi_endproc
