@ msvcarm mingwarm -mattr=+neon
@ Advanced SIMD has no rule about the registers of vrev64, as the M-profile's vectors have.
        .syntax unified
        .text
        vrev64.16 q1, q1
        vrev64.8 q0, q0
@ A sum has an entry of its own in the literal pool, be it that of a name and 0.
        ldr     r0, =foo + 0
        ldr     r1, =foo + 0
        ldr     r2, =foo
        ldr     r3, =(foo)
        ldr     r4, =0 + foo
