# OPTIONS --target=aarch64-linux-gnu --compat=llvm -mcpu=generic
// What -mcpu, -mattr, .arch, .arch_extension and .cpu leave is taken, the rest is rejected with the missing feature named.
        add z0.s, z1.s, z2.s            // ERROR 9 requires sve or sme
        .arch_extension sve
        add z0.s, z1.s, z2.s
        histcnt z0.s, p0/z, z1.s, z2.s  // ERROR 9 requires sve2
        .arch_extension nosve
        add z0.s, z1.s, z2.s            // ERROR 9 requires sve or sme
        .arch armv8.2-a
        fadd h0, h1, h2                 // ERROR 9 requires fullfp16
        .arch_extension fp16
        fadd h0, h1, h2
        .arch_extension nofp16
        fadd h0, h1, h2                 // ERROR 9 requires fullfp16
        ldadd w0, w1, [x2]
        .cpu cortex-a53
        ldadd w0, w1, [x2]              // ERROR 9 requires lse
        crc32b w0, w1, w2
        .cpu cortex-a53+nocrc
        crc32b w0, w1, w2               // ERROR 9 requires crc
        .arch armv8-a
        mrs x0, tpidr_el0
        mrs x0, pan                     // ERROR 17 `pan` requires pan
        mrs x0, apiakeylo_el1           // ERROR 17 `apiakeylo_el1` requires pauth
        mrs x0, s3_0_c2_c1_0
        tlbi vmalle1
        tlbi rvae1, x0                  // ERROR 14 `rvae1` requires tlb-rmi
        dc cvap, x0                     // ERROR 12 `cvap` requires ccpp
        .arch armv8.4-a
        mrs x0, pan
        tlbi rvae1, x0
        dc cvap, x0
        .arch armv12-a                  // ERROR 15 unknown architecture
        .arch_extension warp            // ERROR 25 unknown extension
