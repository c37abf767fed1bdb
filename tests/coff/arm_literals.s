@ msvcarm mingwarm
 .syntax unified
 .thumb
 .text
f: ldr r0, =sym1
 ldr r1, =other
 bl third
 .ltorg
 ldr r2, =sym4
 ldr r3, =sym1
g: .long fifth
 ldr r0, =sym1+4
 ldr r0, =sym1+4
