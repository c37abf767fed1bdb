.hword 1
.balign 2
.hword 1
.word 2
nop