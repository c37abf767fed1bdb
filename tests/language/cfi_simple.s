# llvm
# A `simple` frame counts from the CFA of the CIE that was written last, in llvm-mc.
        .cfi_sections .eh_frame, .debug_frame
f:      .cfi_startproc
        nop
        .cfi_endproc
g:      .cfi_startproc simple
        .cfi_rel_offset %rbx, -8
        .cfi_adjust_cfa_offset -4
        .cfi_rel_offset %rbx, 16
        .cfi_def_cfa %rsp, 32
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbx, 16
        .cfi_endproc
