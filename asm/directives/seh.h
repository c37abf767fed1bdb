// SPDX-License-Identifier: Apache-2.0
// Directives of Windows unwind information.
#pragma once

#include "asm/directives/directives.h"
#include "asm/unwind/seh.h"

namespace xas {

void directive_seh_proc(Reader& reader, u32);
void directive_seh_endproc(Reader& reader, u32);
void directive_seh_endfunclet(Reader& reader, u32);
void directive_seh_startchained(Reader& reader, u32);
void directive_seh_endchained(Reader& reader, u32);
void directive_seh_splitchained(Reader& reader, u32);
void directive_seh_pushreg(Reader& reader, u32);
void directive_seh_push2regs(Reader& reader, u32);
void directive_seh_setframe(Reader& reader, u32);
void directive_seh_stackalloc(Reader& reader, u32 wide);
void directive_seh_save(Reader& reader, u32 xmm);
void directive_seh_pushframe(Reader& reader, u32);
void directive_seh_endprologue(Reader& reader, u32 fragment);
void directive_seh_handler(Reader& reader, u32);
void directive_seh_handlerdata(Reader& reader, u32);
void directive_seh_code(Reader& reader, u32);
void directive_seh_unwindversion(Reader& reader, u32);
void directive_seh_startepilogue(Reader& reader, u32);
void directive_seh_unwindv2start(Reader& reader, u32);
void directive_seh_endepilogue(Reader& reader, u32);
void directive_seh_foreign(Reader& reader, u32);

// seh_arm64.cpp
enum SaveAny : u32 { save_any_pair = 1, save_any_room = 2 };
void directive_seh_arm64(Reader& reader, u32 operation);
void directive_seh_save_any(Reader& reader, u32 flags);
void directive_seh_save_scalable(Reader& reader, u32 predicate);

// seh_arm.cpp
void directive_seh_arm_save_regs(Reader& reader, u32 wide);
void directive_seh_arm_save_sp(Reader& reader, u32);
void directive_seh_arm_save_fregs(Reader& reader, u32);
void directive_seh_arm_save_lr(Reader& reader, u32);
void directive_seh_nop(Reader& reader, u32 wide);
void directive_seh_arm_custom(Reader& reader, u32);
void directive_seh_arm_startepilogue_cond(Reader& reader, u32);

// What they share.

/// The function that is open (unwind_frame); null, and the statement is skipped, if there is none.
UnwindFrame* open_unwind_frame(Reader& reader, UnwindMachine machine = UnwindMachine::any, bool in_section = true);
/// A number that is known now.
bool parse_unwind_offset(Reader& reader, UnwindOperands& o, std::string_view what);

constexpr Directive seh_arm64(std::string_view name, aarch64::WinUnwind operation) {
  return {name, directive_seh_arm64, u32(operation)};
}

inline constexpr Directive seh_directives[] = {
    {".seh_proc", directive_seh_proc, 0},
    {".seh_endproc", directive_seh_endproc, 0},
    {".seh_endfunclet", directive_seh_endfunclet, 0},
    {".seh_startchained", directive_seh_startchained, 0},
    {".seh_endchained", directive_seh_endchained, 0},
    {".seh_splitchained", directive_seh_splitchained, 0},
    {".seh_pushreg", directive_seh_pushreg, 0},
    {".seh_push2regs", directive_seh_push2regs, 0},
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
    seh_arm64(".seh_save_r19r20_x", aarch64::WinUnwind::save_r19r20_x),
    seh_arm64(".seh_save_fplr", aarch64::WinUnwind::save_fplr),
    seh_arm64(".seh_save_fplr_x", aarch64::WinUnwind::save_fplr_x),
    seh_arm64(".seh_save_reg", aarch64::WinUnwind::save_reg),
    seh_arm64(".seh_save_reg_x", aarch64::WinUnwind::save_reg_x),
    seh_arm64(".seh_save_regp", aarch64::WinUnwind::save_regp),
    seh_arm64(".seh_save_regp_x", aarch64::WinUnwind::save_regp_x),
    seh_arm64(".seh_save_lrpair", aarch64::WinUnwind::save_lrpair),
    seh_arm64(".seh_save_freg", aarch64::WinUnwind::save_freg),
    seh_arm64(".seh_save_freg_x", aarch64::WinUnwind::save_freg_x),
    seh_arm64(".seh_save_fregp", aarch64::WinUnwind::save_fregp),
    seh_arm64(".seh_save_fregp_x", aarch64::WinUnwind::save_fregp_x),
    seh_arm64(".seh_allocz", aarch64::WinUnwind::alloc_z),
    seh_arm64(".seh_set_fp", aarch64::WinUnwind::set_fp),
    seh_arm64(".seh_add_fp", aarch64::WinUnwind::add_fp),
    {".seh_nop", directive_seh_nop, 0},
    seh_arm64(".seh_save_next", aarch64::WinUnwind::save_next),
    seh_arm64(".seh_trap_frame", aarch64::WinUnwind::trap_frame),
    seh_arm64(".seh_context", aarch64::WinUnwind::context),
    seh_arm64(".seh_ec_context", aarch64::WinUnwind::ec_context),
    seh_arm64(".seh_clear_unwound_to_call", aarch64::WinUnwind::clear_unwound_to_call),
    seh_arm64(".seh_pac_sign_lr", aarch64::WinUnwind::pac_sign_lr),
    {".seh_save_any_reg", directive_seh_save_any, 0},
    {".seh_save_any_reg_p", directive_seh_save_any, save_any_pair},
    {".seh_save_any_reg_x", directive_seh_save_any, save_any_room},
    {".seh_save_any_reg_px", directive_seh_save_any, save_any_pair | save_any_room},
    {".seh_save_zreg", directive_seh_save_scalable, 0},
    {".seh_save_preg", directive_seh_save_scalable, 1},
    {".seh_stackalloc_w", directive_seh_stackalloc, 1},
    {".seh_save_regs", directive_seh_arm_save_regs, 0},
    {".seh_save_regs_w", directive_seh_arm_save_regs, 1},
    {".seh_save_sp", directive_seh_arm_save_sp, 0},
    {".seh_save_fregs", directive_seh_arm_save_fregs, 0},
    {".seh_save_lr", directive_seh_arm_save_lr, 0},
    {".seh_nop_w", directive_seh_nop, 1},
    {".seh_custom", directive_seh_arm_custom, 0},
    {".seh_endprologue_fragment", directive_seh_endprologue, 1},
    {".seh_startepilogue_cond", directive_seh_arm_startepilogue_cond, 0},
};

}  // namespace xas
