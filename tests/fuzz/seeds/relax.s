00a:
.rept 40
jne b
jmp a
.endr
.skip 100
b:
.uleb128 b-a
.sleb128 -(b-a)
.p2align 4,,7
loop b
xbegin a
1: jmp 1b
2: jmp 2f
2:
.byte 2b-1b
