# gnu64: fields that name a symbol, and .secrel32's modifier, in every field that has a relocation for it
        .text
        .long foo
        movl $foo, %eax
        addl $foo, %ecx
        .quad foo
        movabsq $foo, %rax
        movabsq foo, %rax
        .long foo-.
        call foo
        jmp foo
        jne foo
        call *foo(%rip)
        jmp *foo(%rip)
        movq foo(%rip), %rax
        movl foo(%rip), %eax
        addq foo(%rip), %rax
        leaq foo(%rip), %rax
        leal foo(%rip), %eax
        movl foo, %ecx
        movq $foo, %rax
        addq $foo, %rcx
        call *foo(%rax)
        movl %fs:foo, %ecx
        .long foo@SECREL32
        movl foo@SECREL32, %ecx
        movl $foo@SECREL32, %eax
        movq $foo@SECREL32, %rax
        addl $foo@SECREL32, %ecx
        addq $foo@SECREL32, %rcx
        call *foo@SECREL32(%rax)
        movl %fs:foo@SECREL32, %ecx
        .secrel32 foo
        .secidx foo
        .rva foo
        .byte foo
        .word foo
        movb $foo, %al
