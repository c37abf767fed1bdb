# gnu
# llvm
# A state that is remembered before the first row keeps a function out of .sframe; adjustments count from restored ones.
        .cfi_sections .eh_frame, .sframe
f:      .cfi_startproc
        .cfi_remember_state
        nop
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_restore_state
        ret
        .cfi_endproc
g:      .cfi_startproc
        push    %rbp
        .cfi_adjust_cfa_offset 8
        nop
        .cfi_remember_state
        nop
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_restore_state
        push    %rbp
        .cfi_adjust_cfa_offset 8
        ret
        .cfi_endproc
