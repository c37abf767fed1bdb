# llvm
# llvm --crel
# The paragraphs on relocations of x86: the 8-bit form of an immediate, and a GOT entry that no linker takes away.
  cmpq $foo@ABS8, %rdi
  cmpq $foo, %rdi
  cmpb $foo@ABS8, %dil
  addl $foo@ABS8, 8(%rax)
  pushq $foo@ABS8
  .byte foo@ABS8
  movq foo@GOTPCREL_NORELAX(%rip), %rax
  movq foo@GOTPCREL(%rip), %rax
  call *foo@GOTPCREL_NORELAX(%rip)
