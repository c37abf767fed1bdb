# llvm
# Immediates that are known only in the end begin with eight bits.
 add $foo, %eax
 add $foo, %ecx
 addl $foo, (%rcx)
 addl $foo, 8(%rcx,%rax,4)
 addw $foo, bar(%rcx)
 imul $foo, %eax, %ecx
 push $foo
 pushw $foo
 cmp $a, %ecx
 cmp $b, %ecx
 cmp $c-., %ecx
 and $c-d, %edx
 and $e-d, %edx
c:
 jmp d
 .skip 120
d: .skip 200
e:
 .set a, 5
 .set b, 500
 push $a
 push $d-c
