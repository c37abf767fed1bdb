# gnu32: fields that name a symbol, and .secrel32's modifier, in every field that has a relocation for it
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
        .byte foo
        .word foo
        movb $foo, %al
