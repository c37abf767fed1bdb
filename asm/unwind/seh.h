// SPDX-License-Identifier: Apache-2.0
// The verbs of Windows unwind information: a function begins, what its prologue does, it ends. Those that describe a
// function's parts on every machine and the operations of x86-64 are in seh.cpp, those of ARM64 in seh_arm64.cpp, those
// of ARM in seh_arm.cpp. The directives that say them: asm/directives/coff/seh.cpp.
//
// What is wrong is reported, about an operand at the place that is given for it, else at the current statement; then
// nothing is changed. GNU as calls for all of them inside of the section in which the function began, and LLVM does
// not.
#pragma once

#include "asm/program/win_unwind.h"
#include "targets/target.h"

namespace xas {

class Streamer;

/// Whether functions have tables on this machine: x86-64, ARM64 and ARM. Else that is reported.
bool has_unwind_tables(Streamer& out);

/// The function (or chained region) that is open; null (reported) if there is none, if it is of another machine, or if
/// it is in another section and that counts (`in_section`).
UnwindFrame* unwind_frame(Streamer& out, UnwindMachine machine = UnwindMachine::any, bool in_section = true);

/// The operands of an operation, and where they stand.
struct UnwindOperands {
  Target::WinRegister reg;
  i64 offset = 0;
  const char* reg_at = nullptr;
  const char* offset_at = nullptr;
};

/// .seh_proc: a function begins here, whose name the tables do not need.
void begin_unwind_function(Streamer& out);
/// .seh_endproc: it ends here, and its tables are written (.pdata at the end, by LLVM).
void end_unwind_function(Streamer& out, UnwindFrame& f);
/// .seh_endfunclet: the function's code ends here, and its data follow, which counts for ARM64 and for the epilogues of
/// x86-64.
void end_unwind_code(Streamer& out, UnwindFrame& f);
/// .seh_startchained, .seh_endchained (x86-64): a region within, whose prologue follows the function's.
void begin_chained_region(Streamer& out);
void end_chained_region(Streamer& out, UnwindFrame& f);
/// .seh_splitchained (x86-64): the function goes on in a region of its own, which ends where the next one begins or the
/// function ends. A handler that is named in it is the function's.
void split_chained_region(Streamer& out, UnwindFrame& f);
/// .seh_startepilogue; ARM, .seh_startepilogue_cond: under a condition.
void begin_unwind_epilogue(Streamer& out, UnwindFrame& f, u8 condition = condition_always);
/// .seh_endepilogue
void end_unwind_epilogue(Streamer& out, UnwindFrame& f);
/// .seh_unwindv2start: popping begins here.
void start_epilogue_pops(Streamer& out, UnwindFrame& f);
/// .seh_unwindversion, 1 to 3: of the function that is open, else of those that follow.
void set_unwind_version(Streamer& out, i64 version, const char* at);

/// .seh_handler: it is called for exceptions (UNW_FLAG_EHANDLER) or while unwinding (UNW_FLAG_UHANDLER). `name`, if it
/// is not empty: a symbol that becomes one when the tables are written. May only come before `begin_handler_data`, and
/// not in chained regions: `may_have_handler` reports it.
bool may_have_handler(Streamer& out, UnwindFrame& f);
void set_unwind_handler(Streamer& out, UnwindFrame& f, const Value& handler, std::string_view name, u8 flags);
/// .seh_handlerdata: what follows belongs to the handler, behind the UNWIND_INFO.
void begin_handler_data(Streamer& out, UnwindFrame& f);
/// .seh_code: back to the function's section.
void end_handler_data(Streamer& out, UnwindFrame& f);

// Operations, each behind its instruction; in version 3 of x86-64, in front of it.

/// .seh_endprologue; ARM, .seh_endprologue_fragment: of a function whose prologue is another's.
void end_unwind_prologue(Streamer& out, UnwindFrame& f, bool fragment = false);
/// .seh_stackalloc: in bytes. ARM, .seh_stackalloc_w: by an instruction of 32 bits.
void unwind_allocate(Streamer& out, UnwindFrame& f, i64 size, const char* at, bool wide = false);
/// .seh_pushframe (x86-64, ARM64): the processor pushed a frame, on x86-64 with an error code or without.
void unwind_push_machine_frame(Streamer& out, UnwindFrame& f, bool code);
/// .seh_nop (ARM64, ARM), .seh_nop_w (ARM)
void unwind_nop(Streamer& out, UnwindFrame& f, bool wide);

// x86-64

// The registers r16 to r31, .seh_push2regs and what stands in epilogues need version 3.

/// .seh_pushreg
void unwind_push_register(Streamer& out, UnwindFrame& f, const UnwindOperands& o);
/// .seh_push2regs: the second one is pushed first.
void unwind_push_two(Streamer& out, UnwindFrame& f, const UnwindOperands& first, const UnwindOperands& second);
/// .seh_setframe: the register is rsp + offset, a multiple of 16 up to 240.
void unwind_set_frame(Streamer& out, UnwindFrame& f, const UnwindOperands& o);
/// .seh_savereg and, for vector registers, .seh_savexmm: at rsp + offset.
void unwind_save_register(Streamer& out, UnwindFrame& f, const UnwindOperands& o, bool xmm);

// ARM64

/// What has at most a register and an offset, as its form says (aarch64::win_unwind_form).
void unwind_arm64(Streamer& out, UnwindFrame& f, aarch64::WinUnwind operation, const UnwindOperands& o);
/// .seh_save_any_reg and its kin: one register or a `pair`, in room that is there or that is made (`room`).
void unwind_save_any(Streamer& out, UnwindFrame& f, const UnwindOperands& o, bool pair, bool room);
/// .seh_save_zreg, .seh_save_preg: in units of a vector's length, or an eighth of it.
void unwind_save_scalable(Streamer& out, UnwindFrame& f, const UnwindOperands& o, bool predicate);

// ARM. Masks have a bit for each register.

/// .seh_save_regs; `wide`: .seh_save_regs_w.
void unwind_save_mask(Streamer& out, UnwindFrame& f, u32 mask, bool wide);
/// .seh_save_fregs
void unwind_save_vector_mask(Streamer& out, UnwindFrame& f, u32 mask);
/// .seh_save_sp
void unwind_save_sp(Streamer& out, UnwindFrame& f, const UnwindOperands& o);
/// .seh_save_lr
void unwind_save_lr(Streamer& out, UnwindFrame& f, const UnwindOperands& o);
/// .seh_custom: a code of up to four bytes, the first one highest.
void unwind_custom(Streamer& out, UnwindFrame& f, u32 bytes);

// What end_unwind_prologue, unwind_allocate and their like come to on a machine (seh_arm64.cpp, seh_arm.cpp).

void add_arm64_code(Streamer& out, UnwindFrame& f, const aarch64::WinUnwindCode& code);
void add_arm_code(Streamer& out, UnwindFrame& f, const arm::WinUnwindCode& code);
void allocate_on_arm64(Streamer& out, UnwindFrame& f, i64 size, const char* at);
void allocate_on_arm(Streamer& out, UnwindFrame& f, i64 size, const char* at, bool wide);
void end_arm_epilogue(UnwindEpilogue& e);

}  // namespace xas
