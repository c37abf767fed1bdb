.syntax unified
.arch armv7-a
.align 4
.align 3
.p2align 4,,7
.p2align 4,,7
.align 2
bx lr
.word 1
.byte 1
.byte 2
bx lr
.thumb
.align 4
