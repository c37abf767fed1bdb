// Directives of Windows unwind information.
#pragma once

#include "asm/directives/directives.h"
#include "asm/win_unwind.h"

namespace xas {

void directive_seh_proc(Assembler& a, u32);
void directive_seh_endproc(Assembler& a, u32);
void directive_seh_endfunclet(Assembler& a, u32);
void directive_seh_startchained(Assembler& a, u32);
void directive_seh_endchained(Assembler& a, u32);
void directive_seh_pushreg(Assembler& a, u32);
void directive_seh_setframe(Assembler& a, u32);
void directive_seh_stackalloc(Assembler& a, u32);
void directive_seh_save(Assembler& a, u32 xmm);
void directive_seh_pushframe(Assembler& a, u32);
void directive_seh_endprologue(Assembler& a, u32);
void directive_seh_handler(Assembler& a, u32);
void directive_seh_handlerdata(Assembler& a, u32);
void directive_seh_code(Assembler& a, u32);
void directive_seh_unwindversion(Assembler& a, u32);
void directive_seh_startepilogue(Assembler& a, u32);
void directive_seh_unwindv2start(Assembler& a, u32);
void directive_seh_endepilogue(Assembler& a, u32);
void directive_seh_foreign(Assembler& a, u32);

// seh_arm64.cpp
enum SaveAny : u32 { save_any_pair = 1, save_any_room = 2 };
void directive_seh_arm64(Assembler& a, u32 operation);
void directive_seh_save_any(Assembler& a, u32 flags);
void directive_seh_save_scalable(Assembler& a, u32 predicate);
void seh_arm64_stackalloc(Assembler& a, UnwindFrame& f);
void seh_arm64_endprologue(Assembler& a, UnwindFrame& f);
void seh_arm64_endepilogue(UnwindEpilogue& e);

// seh_arm.cpp
void directive_seh_arm_stackalloc(Assembler& a, u32 wide);
void directive_seh_arm_save_regs(Assembler& a, u32 wide);
void directive_seh_arm_save_sp(Assembler& a, u32);
void directive_seh_arm_save_fregs(Assembler& a, u32);
void directive_seh_arm_save_lr(Assembler& a, u32);
void directive_seh_arm_nop(Assembler& a, u32 wide);
void directive_seh_arm_custom(Assembler& a, u32);
void directive_seh_arm_endprologue(Assembler& a, u32 fragment);
void directive_seh_arm_startepilogue_cond(Assembler& a, u32);
void seh_arm_endepilogue(UnwindEpilogue& e);
/// As open_arm64_frame.
UnwindFrame* open_arm_frame(Assembler& a);

/// The function that is open, of ARM64 code; null if there is none, which has been reported.
UnwindFrame* open_arm64_frame(Assembler& a);

constexpr Directive seh_arm64(std::string_view name, ArmUnwind operation) {
  return {name, directive_seh_arm64, u32(operation)};
}

inline constexpr Directive seh_directives[] = {
    {".seh_proc", directive_seh_proc, 0},
    {".seh_endproc", directive_seh_endproc, 0},
    {".seh_endfunclet", directive_seh_endfunclet, 0},
    {".seh_startchained", directive_seh_startchained, 0},
    {".seh_endchained", directive_seh_endchained, 0},
    {".seh_pushreg", directive_seh_pushreg, 0},
    {".seh_setframe", directive_seh_setframe, 0},
    {".seh_stackalloc", directive_seh_stackalloc, 0},
    {".seh_savereg", directive_seh_save, 0},
    {".seh_savexmm", directive_seh_save, 1},
    {".seh_pushframe", directive_seh_pushframe, 0},
    {".seh_endprologue", directive_seh_endprologue, 0},
    {".seh_handler", directive_seh_handler, 0},
    {".seh_handlerdata", directive_seh_handlerdata, 0},
    {".seh_code", directive_seh_code, 0},
    {".seh_unwindversion", directive_seh_unwindversion, 0},
    {".seh_startepilogue", directive_seh_startepilogue, 0},
    {".seh_unwindv2start", directive_seh_unwindv2start, 0},
    {".seh_endepilogue", directive_seh_endepilogue, 0},
    {".seh_eh", directive_seh_foreign, 0},
    {".seh_32", directive_seh_foreign, 0},
    {".seh_no32", directive_seh_foreign, 0},
    seh_arm64(".seh_save_r19r20_x", ArmUnwind::save_r19r20_x),
    seh_arm64(".seh_save_fplr", ArmUnwind::save_fplr),
    seh_arm64(".seh_save_fplr_x", ArmUnwind::save_fplr_x),
    seh_arm64(".seh_save_reg", ArmUnwind::save_reg),
    seh_arm64(".seh_save_reg_x", ArmUnwind::save_reg_x),
    seh_arm64(".seh_save_regp", ArmUnwind::save_regp),
    seh_arm64(".seh_save_regp_x", ArmUnwind::save_regp_x),
    seh_arm64(".seh_save_lrpair", ArmUnwind::save_lrpair),
    seh_arm64(".seh_save_freg", ArmUnwind::save_freg),
    seh_arm64(".seh_save_freg_x", ArmUnwind::save_freg_x),
    seh_arm64(".seh_save_fregp", ArmUnwind::save_fregp),
    seh_arm64(".seh_save_fregp_x", ArmUnwind::save_fregp_x),
    seh_arm64(".seh_allocz", ArmUnwind::alloc_z),
    seh_arm64(".seh_set_fp", ArmUnwind::set_fp),
    seh_arm64(".seh_add_fp", ArmUnwind::add_fp),
    seh_arm64(".seh_nop", ArmUnwind::nop),
    seh_arm64(".seh_save_next", ArmUnwind::save_next),
    seh_arm64(".seh_trap_frame", ArmUnwind::trap_frame),
    seh_arm64(".seh_context", ArmUnwind::context),
    seh_arm64(".seh_ec_context", ArmUnwind::ec_context),
    seh_arm64(".seh_clear_unwound_to_call", ArmUnwind::clear_unwound_to_call),
    seh_arm64(".seh_pac_sign_lr", ArmUnwind::pac_sign_lr),
    {".seh_save_any_reg", directive_seh_save_any, 0},
    {".seh_save_any_reg_p", directive_seh_save_any, save_any_pair},
    {".seh_save_any_reg_x", directive_seh_save_any, save_any_room},
    {".seh_save_any_reg_px", directive_seh_save_any, save_any_pair | save_any_room},
    {".seh_save_zreg", directive_seh_save_scalable, 0},
    {".seh_save_preg", directive_seh_save_scalable, 1},
    {".seh_stackalloc_w", directive_seh_arm_stackalloc, 1},
    {".seh_save_regs", directive_seh_arm_save_regs, 0},
    {".seh_save_regs_w", directive_seh_arm_save_regs, 1},
    {".seh_save_sp", directive_seh_arm_save_sp, 0},
    {".seh_save_fregs", directive_seh_arm_save_fregs, 0},
    {".seh_save_lr", directive_seh_arm_save_lr, 0},
    {".seh_nop_w", directive_seh_arm_nop, 1},
    {".seh_custom", directive_seh_arm_custom, 0},
    {".seh_endprologue_fragment", directive_seh_arm_endprologue, 1},
    {".seh_startepilogue_cond", directive_seh_arm_startepilogue_cond, 0},
};

}  // namespace xas
