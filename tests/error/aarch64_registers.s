# OPTIONS --target=aarch64-linux-gnu --compat=llvm
// Registers that must differ, and what may follow movprfx, as LLVM's assembler has it.
        ldp x1, x1, [x2]                // ERROR 9 unpredictable LDP
        ldr x1, [x1], #8                // ERROR 9 unpredictable LDR
        str x1, [sp], #8
        stp x1, x2, [x2, #-16]!         // ERROR 9 unpredictable STP
        stxr w1, w1, [x2]               // ERROR 9 unpredictable STXR
        stxr w1, w2, [sp]
        cpyfp [x1]!, [x1]!, x2!         // ERROR 9 destination and source registers are the same
        setp [x1]!, x2!, x2             // ERROR 9 source and size registers are the same
        setgop [x1]!, x1!               // ERROR 9 destination and size registers are the same
        movprfx z0, z1
        add z0.s, p0/m, z0.s, z2.s
        movprfx z0, z1
        add z0.s, z1.s, z2.s            // ERROR 9 suggest replacing movprfx with mov
        movprfx z0.s, p0/z, z1.s
        add z3.s, p0/m, z3.s, z2.s      // ERROR 9 writing to a different destination
        movprfx z0.s, p0/z, z1.s
        add z0.s, p0/m, z0.s, z0.s      // ERROR 9 also used as non-destructive source
        movprfx z0.s, p0/z, z1.s
        add z0.s, p1/m, z0.s, z2.s      // ERROR 9 different general predicate
        movprfx z0.s, p0/z, z1.s
        add z0.d, p0/m, z0.d, z2.d      // ERROR 9 different element size
        movprfx z0.s, p0/z, z1.s
        add z0.s, z0.s, #1              // ERROR 9 suggest using unpredicated movprfx
        movprfx z0, z1
        hlt #1
v       .req v2.8b                      // ERROR 14 without an arrangement
        add w1, w2, w3, lsl #32         // ERROR 29 expected a number
        casp x1, x2, x4, x5, [x6]       // ERROR 14 expected
        trn2.4s v0.4s, v1.4s, v2.4s     // ERROR 9 not both
        ld1     {v0.8b}[3], [x0]        // ERROR 17 an element of each register
        ldpsw   x0, x1, [x0], #4
        mov     x0, x31
        add     w31, w0, w1
