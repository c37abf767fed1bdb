# Prefixes, rounding and addresses that neither reference assembler takes.
        data32  nop                             # ERROR 9 `data32` does not exist in 64-bit mode
        addr16  nop                             # ERROR 9 `addr16` does not exist in 64-bit mode
        bnd     addl %eax, %ebx                 # ERROR 17 which is no branch
        {rex}   vmovaps %xmm7, %xmm2            # ERROR 17 has no REX prefix
        {disp16} jmp .                          # ERROR 9 64-bit code has no {disp16}
        stosb   %al, %fs:(%rdi)                 # ERROR 22 is in %es
        movsb   (%rsi), %ds:(%rdi)              # ERROR 25 is in %es
        movsb   (%rsi), (%edi)                  # ERROR 17 have the same size
        mov     (%dx), %ax                      # ERROR 17 operand 1 is %dx
        vaddps  %zmm0, {rn-sae}, %zmm1, %zmm2   # ERROR 24 before the first vector register
        vcvtsi2ss {rn-sae}, %eax, %xmm0, %xmm1  # ERROR 19 before the first vector register
        vcmpps  {sae}, $0, %zmm0, %zmm0, %k0    # ERROR 17 before the first vector register
        bndmk   (%eax), %bnd0                   # ERROR 17 takes no 32-bit address
        sgdtw   4(%rax)                         # ERROR 9 does not exist in 64-bit mode
        push    $0xffffffff                     # ERROR 9 has no encoding with these operands
        {nf} dec foo                            # ERROR 14 does not say its operand size
        .operand_check error
        vgatherdps %xmm1, (%rax,%xmm1), %xmm0   # ERROR 9 should be different registers
        .code32
        data32  nop                             # ERROR 9 `data32` changes nothing in 32-bit mode
        addr32  nop                             # ERROR 9 `addr32` changes nothing in 32-bit mode
        bndmov  %bnd1, (%bx)                    # ERROR 24 takes no 16-bit address
        .code16
        data16  nop                             # ERROR 9 `data16` changes nothing in 16-bit mode
