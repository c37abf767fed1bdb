# gnu
# GNU as advances to .cfi_signal_frame and .cfi_return_column, and lists labels in frames behind all others.
        .text
f:      .cfi_startproc
        .cfi_lsda 0x1b, data
        push    %rbp
        .cfi_signal_frame
        nop
        .cfi_label in_frame
        .cfi_adjust_cfa_offset 8
        nop
        .cfi_return_column 3
        .cfi_endproc
g:      .cfi_startproc simple
        .cfi_rel_offset %rbx, 16
        .cfi_adjust_cfa_offset 8
        .cfi_endproc
data:   nop
