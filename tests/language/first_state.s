# both
# A jump that is long from the start begins as a short one for llvm-mc, and the alignments of that first state decide about
# the next one: its distance is 128 then, and 125 in the end.
.L1:    .skip   200, 0x90
        jmp     .L1
        .skip   22, 0x90
        jmp     .L2
        .p2align 5
        .skip   98, 0x90
.L2:    nop
