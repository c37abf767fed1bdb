# gnu -mbranches-within-32B-boundaries
# gnu -malign-branch-boundary=32 -malign-branch=jcc+jmp+call+ret+indirect -malign-branch-prefix-size=0
# gnu -malign-branch-boundary=64 -malign-branch=fused+jcc -malign-branch-prefix-size=2
# gnu -malign-branch-boundary=16
# llvm -x86-branches-within-32B-boundaries
# llvm -x86-branches-within-32B-boundaries -x86-pad-max-prefix-size=5
# llvm -x86-align-branch-boundary=32 -x86-align-branch=fused+jcc+jmp+call+ret+indirect
# llvm -x86-align-branch-boundary=64 -x86-align-branch=jmp+call+ret -x86-pad-max-prefix-size=4
# llvm -x86-pad-for-align -x86-pad-max-prefix-size=15
# Branches near boundaries: prefixes of the instructions before them, no-ops, pairs that are fused, and what forbids them.
 .text
f:
 .rept 12
 push %rbp
 mov %rsp, %rbp
 mov %rax, -8(%rbp)
 cmp %rax, %rbp
 je 1f
 movl %eax, %fs:0x1
 vaddps 16(%rax,%rcx,4), %xmm9, %xmm1
 test %eax, %eax
 jo 1f
1: dec %ecx
 jne 1b
 dec %ecx
 jb 2f
 call g
 call *%rax
 jmp *(%rax)
 addl $1, (%rax)
 jne f
 ret
 .endr
 .p2align 4
2: cmp %rax, g(%rip)
 jne 1b
 nop
 .byte 0x90
 jmp 2b
 lock
 addl $1, (%rdi)
 jmp g
 jmp .+2
 call __tls_get_addr@PLT
 mov x@gottpoff(%rip), %rax
 .rept 20
 inc %eax
 jle f
 xor %eax, %eax
3: loop 3b
 jmp f
 .endr
 .section .rodata
 .long 1
 .text
 and %eax, (%rdx)
 ja g
 sti
 jmp g
 notrack jmp *%rax
 .p2align 5
 cmp $1, %al
 jmp g
