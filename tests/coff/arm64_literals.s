// msvcarm64 mingwarm64
// Literal pools: what .ltorg has written serves later loads; symbols are listed when the pool is written.
 .text
f: ldr x0, =sym1
 ldr x1, =other
 bl third
 .ltorg
 ldr w2, =sym4
 ldr x3, =sym1
g: .xword fifth
 ldr x5, =0x123456789
 ldr x6, =late+4
 ldr x6, =late
 bl late
 ldr x6, =late
 ldr w7, =late
 .ltorg
 ldr x5, =0x123456789
 ldr x6, =late+4
 ldr x6, =late
 ldr x6, =.Lloc1
.Lloc1: nop
 ldr x0, =foo+0
 ldr x1, =foo+0
 ldr x2, =foo
 ldr x3, =(foo)
 ldr x4, =foo+8-8
