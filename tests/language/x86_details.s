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
