# Instructions: what was wrong with their operands.
        movl $1, %ebz                   # ERROR 18 unknown register '%ebz'
        foo %eax                        # ERROR 9 unknown instruction or directive 'foo'
        movl %eax                       # ERROR 9 `movl` takes 2 operands, not 1
        movq %eax, %rbx                 # ERROR 14 operand 1 is %eax, a 32-bit register
        movb %al, %ebx                  # ERROR 19 operand 2 is %ebx, a 32-bit register
        addl $1, $2                     # ERROR 18 operand 2 is the immediate 2
        mov $1, (%rax)                  # WARNING 9 `movl` is assumed
        movl 4(%rax,%rsp,2), %eax       # ERROR 21 the stack pointer cannot be an index
        movl 4(%rax,%rbx,3), %eax       # ERROR 26 scale 3 is not 1, 2, 4 or 8
        movl (%rax, %ebx), %eax         # ERROR 21 must have the same size
        vaddps %xmm0, %ymm1, %zmm2      # ERROR 30 operand 3 is %zmm2
        vaddps %zmm0, %zmm1, %zmm2{%k0} # ERROR 35 %k0 cannot be a write mask
        pushl %eax                      # ERROR 9 does not exist in 64-bit mode
        (%rax)                          # ERROR 9 expected a label, a directive or an instruction
