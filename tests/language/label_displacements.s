# llvm
# The distance of two labels as a displacement has 32 bits, whatever it is.
a:      nop
b:      x = 5
        mov     b-a(%rax), %eax
        mov     1f-b(%rax), %eax
1:      movdqu  16+b-a(%rsp), %xmm1
        mov     (b-a)*8(%rsp,%rcx), %rdx
        vaddps  b-a(%rax), %zmm1, %zmm2
        mov     x-3(%rax), %eax
        mov     0x10+x(%rax), %eax
        mov     b-a, %eax
        .code16
        mov     b-a(%bx), %ax
        mov     x(%bx), %ax
