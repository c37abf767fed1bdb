# msvc64: every relocation modifier of objects for Windows in every field that has a relocation for it
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
        .long foo@PLT
        movl foo@PLT, %ecx
        movl $foo@PLT, %eax
        movq $foo@PLT, %rax
        addl $foo@PLT, %ecx
        addq $foo@PLT, %rcx
        call *foo@PLT(%rax)
        movl %fs:foo@PLT, %ecx
        .quad foo@PLT
        movabsq $foo@PLT, %rax
        movabsq foo@PLT, %rax
        .long foo@PLT-.
        call foo@PLT
        jmp foo@PLT
        jne foo@PLT
        call *foo@PLT(%rip)
        jmp *foo@PLT(%rip)
        movq foo@PLT(%rip), %rax
        movl foo@PLT(%rip), %eax
        addq foo@PLT(%rip), %rax
        leaq foo@PLT(%rip), %rax
        leal foo@PLT(%rip), %eax
        .long foo@ABS8
        movl foo@ABS8, %ecx
        movl $foo@ABS8, %eax
        movq $foo@ABS8, %rax
        call *foo@ABS8(%rax)
        movl %fs:foo@ABS8, %ecx
        .quad foo@ABS8
        movabsq $foo@ABS8, %rax
        movabsq foo@ABS8, %rax
        .long foo@ABS8-.
        call foo@ABS8
        call *foo@ABS8(%rip)
        jmp *foo@ABS8(%rip)
        movq foo@ABS8(%rip), %rax
        movl foo@ABS8(%rip), %eax
        addq foo@ABS8(%rip), %rax
        leaq foo@ABS8(%rip), %rax
        leal foo@ABS8(%rip), %eax
        .long foo@IMGREL
        movl foo@IMGREL, %ecx
        movl $foo@IMGREL, %eax
        movq $foo@IMGREL, %rax
        addl $foo@IMGREL, %ecx
        addq $foo@IMGREL, %rcx
        call *foo@IMGREL(%rax)
        movl %fs:foo@IMGREL, %ecx
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
        movq foo(%rip), %r16
        movq foo@PLT(%rip), %r16
        movq foo@ABS8(%rip), %r16
