# both
# A new location that depends on a distance over a branch.
a:      jmp 1f
b:      .org . + (b-a)
1:      nop
        jmp 2f
c:      d = c - 1b
        . = . + d
2:      jmp foo
3:      .org (3b-2b) + 2b + 8
        nop
        .set e, 3b
4:      .org e + 40
        nop
