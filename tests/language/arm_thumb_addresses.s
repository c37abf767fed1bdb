# gnu-thumb
# Thumb functions have bit 0 where GNU as may choose the width of adr, or where they stand before it.
.syntax unified
.thumb
.thumb_func
g: bx lr
nop
.type h,%function
h: bx lr
nop
i: nop
adr r0, g
adr r0, h
adr r0, i
adr.w r0, g
adr.w r0, f
adr.n r0, f2
adr r0, f
adr r0, f1
adr r0, k
adr r0, k+1
nop
.align 2
.thumb_func
f: nop
nop
.thumb_func
.type f1,%function
f1: nop
nop
.type f2,%function
.global f2
f2: nop
nop
k: nop
.arm
.align 2
adr r0, g
adr r0, f1
adr r1, a
adr r1, h
a: nop
