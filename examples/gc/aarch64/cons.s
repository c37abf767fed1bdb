// A pair of a list and a number, on the collector's heap: cons(list, number).
        .stackmap_section "llvm_stackmaps", "awo"
        .text
        .globl  cons
        .type   cons, %function
        .stackmap_function cons, 32
cons:   stp     x29, x30, [sp, #-32]!
        mov     x29, sp
        stp     x0, x1, [x29, #16]
        bl      allocate
        .statepoint 2, gc(indirect(x29, 16))    // the list may have moved; its slot has been written
        ldp     x1, x2, [x29, #16]
        stp     x1, x2, [x0]
        ldp     x29, x30, [sp], #32
        ret
        .size   cons, . - cons
        .section .note.GNU-stack, "", %progbits
