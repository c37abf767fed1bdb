// Immediates that are known only later: which instruction mov is depends on the value.
        mov x4, #small
        mov x5, #negative
        mov w6, #high
        mov x7, #pattern
        mov sp, #ones
        mov w8, #inverted
        mov x9, #ones
        mov x10, #top
        and x3, x4, #ones
        add x3, x4, #small
        .set small, 0x123
        .set negative, -5
        .set high, 0x12340000
        .set pattern, 0x00ff00ff00ff00ff
        .set ones, 0xff
        .set inverted, -65537
        .set top, 0xffff000000000000

// Names and forms that only GNU as knows.
        .arch armv8-a+tme
        tstart x0
        ttest x30
        tcommit
        tcancel 65535
        mrs x0, spsr_svc
        msr spsr_hyp, x15
        uxtw w1, w2
        uxtw x1, w2
        ldrsw x1, =0xdeadbeef
        .ltorg
