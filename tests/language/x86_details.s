# gnu
# What only GNU as's answer tells.
 .struct 0
 inc %eax
 mov $1, %rax
len:
 .text
f:
 .long len
 data16 addl %eax, (%rbx)
 data16 add $0x1234, (%rax)
 mov -0x80000001(%ecx), %eax
 lea g(%rax), %ecx
 addr32 call h
 movl $g@SIZE, %eax
 mov abs@GOTPCREL(%rip), %rax
 .data
 .type g, @object
 .size g, 24
g: .zero 24
 abs = 5
 .text
# Segments before direct branches: only hints stay.
 fs jmp h
 data16 cs jne h
 gs loop 1f
 cs jecxz 1f
 data16 jrcxz 1f
1: data16 rex.W xbegin h
 data16 rex.W jne h
# eiz and riz without % are symbols until they are allowed.
 .intel_syntax noprefix
 mov cl, [rax+riz+1]
 .allow_index_reg
 mov cl, [rax+riz+1]
 mov cl, [rax+riz*2+1]
 .disallow_index_reg
 mov cl, [rax+riz+1]
 .att_syntax
# Names of registers can be compared, and eq and its like are for all.
 .equ r1, %ecx
 .equ r2, %edx
 .if r1 <> %ecx
 .err
 .endif
 .if r1 == r2
 .err
 .endif
