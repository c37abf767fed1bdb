# gnu
# gnu -n
# gnu --64 -mlfence-before-indirect-branch=all
# gnu --64 -mlfence-before-indirect-branch=all -mlfence-before-ret=or
# -n keeps no-ops single where the fill says so; returns are indirect branches, too.
        mov     (%rax), %rbx
        .p2align 4, 0x90
        jmp     *%rax
        .balign 8
        ret
        .data
        .section .tdata.x, "awTo", @progbits, .text
        .section .data, "ao", @progbits, .text
        .type   unlisted, @gnu_unique_object
