// The list n, ..., 2, 1, and a lot of garbage: build(n).
        .stackmap_section "llvm_stackmaps", "awo"
        .text
        .globl  build
        .type   build, %function
        .stackmap_function build, 32
build:  stp     x29, x30, [sp, #-32]!
        mov     x29, sp
        stp     xzr, x19, [x29, #16]            // the list
        mov     w19, w0
.Lnext: .patchpoint 1, 4                        // a no-op, until the runtime writes a call there
        mov     x0, #0
        mov     w1, w19
        bl      cons                            // garbage
        .statepoint 3, gc(indirect(x29, 16))
        ldr     x0, [x29, #16]
        mov     w1, w19
        bl      cons
        .statepoint 4, gc(indirect(x29, 16))
        str     x0, [x29, #16]
        subs    w19, w19, #1
        b.ne    .Lnext
        ldp     x0, x19, [x29, #16]
        ldp     x29, x30, [sp], #32
        ret
        .size   build, . - build
        .section .note.GNU-stack, "", %progbits
