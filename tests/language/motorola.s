# llvm -motorola-integers
        .set    a1, $aBcDeF09
        .set    b, %01010
        .long   $ff, %11, $a+1, a1
        movl    $$10, %eax
        .set    a$b, $12
        .long   a$b
