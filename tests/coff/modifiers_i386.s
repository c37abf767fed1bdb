# msvc32: every relocation modifier of objects for Windows in every field that has a relocation for it
        .text
        .long foo
        movl foo, %ecx
        movl foo(%ebx), %ecx
        leal foo(%ebx), %ecx
        leal foo(,%ebx,1), %ecx
        addl foo(%ebx), %ecx
        movl $foo, %eax
        addl $foo, %ecx
        call *foo(%ebx)
        movl %gs:foo, %ecx
        .long foo-.
        call foo
        jmp foo
        jne foo
        .long foo@PLT
        movl foo@PLT, %ecx
        movl foo@PLT(%ebx), %ecx
        leal foo@PLT(%ebx), %ecx
        leal foo@PLT(,%ebx,1), %ecx
        addl foo@PLT(%ebx), %ecx
        movl $foo@PLT, %eax
        addl $foo@PLT, %ecx
        call *foo@PLT(%ebx)
        movl %gs:foo@PLT, %ecx
        .long foo@PLT-.
        call foo@PLT
        jmp foo@PLT
        jne foo@PLT
        .long foo@ABS8
        movl foo@ABS8, %ecx
        movl foo@ABS8(%ebx), %ecx
        leal foo@ABS8(%ebx), %ecx
        leal foo@ABS8(,%ebx,1), %ecx
        addl foo@ABS8(%ebx), %ecx
        movl $foo@ABS8, %eax
        call *foo@ABS8(%ebx)
        movl %gs:foo@ABS8, %ecx
        .long foo@ABS8-.
        call foo@ABS8
        .long foo@IMGREL
        movl foo@IMGREL, %ecx
        movl foo@IMGREL(%ebx), %ecx
        leal foo@IMGREL(%ebx), %ecx
        leal foo@IMGREL(,%ebx,1), %ecx
        addl foo@IMGREL(%ebx), %ecx
        movl $foo@IMGREL, %eax
        addl $foo@IMGREL, %ecx
        call *foo@IMGREL(%ebx)
        movl %gs:foo@IMGREL, %ecx
        .long foo@SECREL32
        movl foo@SECREL32, %ecx
        movl foo@SECREL32(%ebx), %ecx
        leal foo@SECREL32(%ebx), %ecx
        leal foo@SECREL32(,%ebx,1), %ecx
        addl foo@SECREL32(%ebx), %ecx
        movl $foo@SECREL32, %eax
        addl $foo@SECREL32, %ecx
        call *foo@SECREL32(%ebx)
        movl %gs:foo@SECREL32, %ecx
