# The list n, ..., 2, 1, and a lot of garbage: build(n).
        .stackmap_section "llvm_stackmaps", "awo"
        .text
        .globl  build
        .type   build, @function
        .stackmap_function build, 24
build:  pushq   %rbx
        subq    $16, %rsp
        movq    $0, (%rsp)                      # the list
        movl    %edi, %ebx
.Lnext: .patchpoint 1, 5                        # no-ops, until the runtime writes a call there
        xorl    %edi, %edi
        movl    %ebx, %esi
        call    cons@PLT                        # garbage
        .statepoint 3, gc(indirect(%rsp, 0))
        movq    (%rsp), %rdi
        movl    %ebx, %esi
        call    cons@PLT
        .statepoint 4, gc(indirect(%rsp, 0))
        movq    %rax, (%rsp)
        decl    %ebx
        jnz     .Lnext
        movq    (%rsp), %rax
        addq    $16, %rsp
        popq    %rbx
        ret
        .size   build, . - build
        .section .note.GNU-stack, "", @progbits
