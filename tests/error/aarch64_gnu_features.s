# OPTIONS --target=aarch64-linux-gnu
// GNU as lets some extensions bring more than LLVM does, and asks for less for some instructions.
        .arch armv8-a
        fcmla v0.4s, v1.4s, v2.4s, #90  // ERROR 9 requires fcma
        sha512h q0, q1, v2.2d           // ERROR 9 requires sha2
        smc #0
        .arch armv8-a+sve
        fcmla v0.4s, v1.4s, v2.4s, #90
        .arch armv8-a+sme
        histcnt z0.s, p0/z, z1.s, z2.s
        .arch armv8-a+compnum
        fadd h0, h1, h2
        .arch armv8-a+compnum+nofp16
        fadd h0, h1, h2                 // ERROR 9 requires fullfp16
        .arch armv8-a+sha2
        sha512h q0, q1, v2.2d
        rax1 v0.2d, v1.2d, v2.2d        // ERROR 9 requires sha3
        .arch armv8.3-a+fp16
        fmlal v0.2s, v1.2h, v2.2h       // ERROR 9 requires fp16fml
        .arch armv8.4-a
        fmlal v0.2s, v1.2h, v2.2h       // ERROR 9 requires fullfp16
        .arch armv8.4-a+fp16
        fmlal v0.2s, v1.2h, v2.2h
        .cpu xgene1
        crc32b w0, w1, w2               // ERROR 9 requires crc
        .cpu qdf24xx
        sqrdmlah v0.4h, v1.4h, v2.4h
        mov x0, v1                      // ERROR 17 does not take a vector register
        add x0, x1, x2, x3              // ERROR 25 `add` does not take a 64-bit register here
        ldr x0, =a, =b, =c, =d          // ERROR 30 too many expressions that are not known yet
        .arch armv8-a+sve
        uqsub z1.h, z1.h, #-257         // ERROR 27 invalid operand
        add z0.s, z0.s, #-1, lsl #8     // ERROR 25 invalid operand
