.data
.word 1
.balign 8
.word 2
.ascii "x"
nop
