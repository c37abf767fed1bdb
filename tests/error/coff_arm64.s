// OPTIONS --compat=llvm --target=aarch64-pc-windows-msvc
        .seh_save_fplr 16               // ERROR 9 there is no function open here
        .seh_proc f
        .seh_save_reg x18, 8            // ERROR 23 expected a register from x19 to x30
        .seh_save_regp x30, 8           // ERROR 24 from x19 to x29
        .seh_save_lrpair x20, 8         // ERROR 26 an even number behind x19
        .seh_save_freg d7, 8            // ERROR 24 from d8 to d15
        .seh_save_reg x19, 12           // ERROR 28 the offset 12 is not a multiple of 8 from 0 to 504
        .seh_save_reg_x x19, 264        // ERROR 30 from 8 to 256
        .seh_save_fplr_x 520            // ERROR 26 from 8 to 512
        .seh_save_any_reg_p x30, 16     // ERROR 29 no pair begins with it
        .seh_save_any_reg v1, 16        // ERROR 27 expected a register
        .seh_save_any_reg q1, 8         // ERROR 31 the offset 8 is not a multiple of 16 from 0 to 1008
        .seh_save_zreg z7, 1            // ERROR 24 from z8 to z23
        .seh_allocz 256                 // ERROR 21 the offset 256 is not a number from 0 to 255
        .seh_stackalloc 24              // WARNING 25 the size 24 is not a multiple of 16; it is told as 16
        .seh_stackalloc 0x10000000      // ERROR 25 the size 268435456 is not
        .seh_pushreg x19                // ERROR 9 describes functions of x86-64
        .seh_unwindversion 2            // ERROR 28 no other versions
        .seh_startepilogue              // ERROR 9 before the prologue has ended
        .seh_endproc                    // ERROR 9 prologue is still open
        .seh_endprologue
        .seh_endprologue                // ERROR 9 has ended already
        .seh_save_fplr 16               // ERROR 9 prologue has ended, and no epilogue is open
        .seh_startepilogue
        .seh_startepilogue              // ERROR 9 an epilogue is open already
        .seh_endproc                    // ERROR 9 an epilogue is still open
        .seh_endepilogue
        .seh_endepilogue                // ERROR 9 no epilogue is open
        .seh_proc g                     // ERROR 9 the function before this is not closed
        .seh_endproc
