# OPTIONS --target=arm-linux-gnueabihf
@ What an architecture, a floating-point unit and extensions allow.
        .syntax unified
        .arch armv5t
        smulbb r0, r1, r2       @ ERROR 9 `smulbb` requires v5te
        .arch armv6-m
        .thumb
        add.w r0, r1, r2        @ ERROR 9 requires thumb2
        .arm                    @ ERROR 33 this processor has Thumb instructions only
        .arch armv7-a
        sdiv r0, r1, r2         @ ERROR 9 `sdiv` requires hwdiv
        .arch_extension idiv
        sdiv r0, r1, r2
        vadd.f32 s0, s1, s2     @ ERROR 9 requires vfp2sp
        .fpu vfpv3-d16
        vadd.f32 s0, s1, s2
        vadd.f64 d0, d1, d16    @ ERROR 26 registers from d16 on are not available
        vadd.i32 q0, q1, q2     @ ERROR 9 requires neon
        .fpu neon
        vadd.i32 q0, q1, q12
        .fpu vfpv9              @ ERROR 14 unknown floating-point unit 'vfpv9'
        .arch armv77            @ ERROR 15 unknown architecture 'armv77'
        .cpu armv7-a            @ ERROR 14 unknown processor 'armv7-a'
        .arch_extension foo     @ ERROR 25 unknown extension 'foo'
        .arch armv8.1-m.main+mve
        vaddt.i32 q0, q1, q2    @ ERROR 9 the suffix t or e needs a VPT block
        vpste
        vaddt.i32 q0, q1, q2
        vaddt.i32 q0, q1, q2    @ ERROR 9 the VPT block wants the suffix e here
