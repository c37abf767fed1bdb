// msvcarm64 mingwarm64
// Unwind information of ARM64: packed, shared, with scopes and handlers, of COMDAT functions, of long functions.
  .macro begin name
  .globl \name
  .p2align 2
\name:
  .seh_proc \name
  .endm
  .macro end
  ret
  .seh_endproc
  .endm
  // each code stands for an instruction
  .macro op code, rest:vararg
  nop
  .ifb \rest
  .seh_\code
  .else
  .seh_\code \rest
  .endif
  .endm

  .text
  begin packed
  op save_regp_x, x19, 48
  op save_regp, x21, 16
  op save_lrpair, x23, 32
  op stackalloc, 64
  .seh_endprologue
  nop
  .seh_startepilogue
  op stackalloc, 64
  op save_lrpair, x23, 32
  op save_regp, x21, 16
  op save_regp_x, x19, 48
  .seh_endepilogue
  end

  begin packed_frame
  op pac_sign_lr
  op save_regp_x, x19, 32
  op save_fregp, d8, 16
  op save_fplr_x, 32
  op set_fp
  .seh_endprologue
  .seh_startepilogue
  op save_fplr_x, 32
  op save_fregp, d8, 16
  op save_regp_x, x19, 32
  op pac_sign_lr
  .seh_endepilogue
  end

  begin packed_large_frame
  op save_reg_x, x19, 16
  op stackalloc, 4080
  op stackalloc, 1040
  op save_fplr, 0
  op set_fp
  .seh_endprologue
  .seh_startepilogue
  op set_fp
  op save_fplr, 0
  op stackalloc, 1040
  op stackalloc, 4080
  op save_reg_x, x19, 16
  .seh_endepilogue
  end

  begin every_code
  op stackalloc, 0x100000
  op stackalloc, 8192
  op save_reg_x, x25, 256
  op save_lrpair, x27, 504
  op save_freg_x, d9, 16
  op save_freg, d15, 504
  op save_fregp_x, d10, 512
  op save_fregp, d14, 504
  op save_fplr, 504
  op add_fp, 2040
  op nop
  op save_next
  op save_any_reg, x0, 504
  op save_any_reg_p, fp, 1008
  op save_any_reg_x, d31, 1024
  op save_any_reg_px, q30, 16
  op save_any_reg, q31, 1008
  op allocz, 255
  op save_zreg, z23, 255
  op save_zreg, z8, 3
  op save_preg, p4, 200
  op save_r19r20_x, 248
  .seh_endprologue
  end

  begin special_codes
  .seh_trap_frame
  .seh_pushframe
  .seh_context
  .seh_ec_context
  .seh_clear_unwound_to_call
  .seh_endprologue
  end

// Three epilogues: one mirrors the prologue, two are equal to each other.
  begin scopes
  .seh_handler handler, @except, @unwind
  op save_regp_x, x19, 32
  op save_fplr_x, 64
  op set_fp
  .seh_endprologue
  .seh_startepilogue
  op save_fplr_x, 64
  op save_regp_x, x19, 32
  .seh_endepilogue
  ret
  .rept 2
  .seh_startepilogue
  op stackalloc, 32
  .seh_endepilogue
  ret
  .endr
  .seh_handlerdata
  .long 1, 2, 3
  .text
  .seh_endproc

// One epilogue at the end that is no mirror
  begin own_epilogue
  op save_fplr_x, 64
  .seh_endprologue
  .seh_startepilogue
  op save_fplr_x, 32
  .seh_endepilogue
  end

  begin data_behind
  op stackalloc, 32
  .seh_endprologue
  ret
  .seh_endfunclet
  .xword 1
  .seh_endproc

  begin leaf
  end

  .section .text$comdat, "xr", discard, comdat
  begin comdat
  op save_fplr_x, 16
  .seh_endprologue
  end

  .section .text$plain, "xr"
  begin plain
  op save_fplr_x, 16
  .seh_endprologue
  end

// Segments of a megabyte, cut before the epilogue that one would end in
  .section .text$long, "xr"
  begin long
  .seh_handler handler, @except
  op save_fplr_x, 32
  op set_fp
  .seh_endprologue
  .zero 0xFFFEC
  .seh_startepilogue
  op stackalloc, 32
  op save_fplr_x, 32
  .seh_endepilogue
  ret
  .zero 0x100000
  .seh_startepilogue
  op save_fplr_x, 32
  .seh_endepilogue
  end
