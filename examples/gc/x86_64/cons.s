# A pair of a list and a number, on the collector's heap: cons(list, number).
        .stackmap_section "llvm_stackmaps", "awo"
        .text
        .globl  cons
        .type   cons, @function
        .stackmap_function cons, 24
cons:   subq    $24, %rsp
        movq    %rdi, (%rsp)
        movq    %rsi, 8(%rsp)
        call    allocate@PLT
        .statepoint 2, gc(indirect(%rsp, 0))    # the list may have moved; its slot has been written
        movq    (%rsp), %rcx
        movq    %rcx, (%rax)
        movq    8(%rsp), %rcx
        movq    %rcx, 8(%rax)
        addq    $24, %rsp
        ret
        .size   cons, . - cons
        .section .note.GNU-stack, "", @progbits
