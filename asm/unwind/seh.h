// SPDX-License-Identifier: Apache-2.0
// The verbs of Windows unwind information: a function begins, what its prologue does, it ends. Those that describe a
// function's parts on every machine, and the operations of x86-64. The directives: asm/directives/coff/seh.cpp.
//
// Errors are reported at the current statement; then nothing is changed. GNU as calls for all of them inside of the section
// in which the function began, and LLVM does not.
#pragma once

#include "asm/program/win_unwind.h"

namespace xas {

/// No index of a frame.
inline constexpr u32 no_frame = ~u32(0);

/// Whether functions have tables on this machine: x86-64, ARM64 and ARM. Else that is reported.
bool has_unwind_tables(Streamer& out);
bool is_arm64(const Program& program);
bool is_arm(const Program& program);

/// The function (or chained region) that is open; null (reported) if there is none, or if it is in another section and
/// that counts (`in_section`).
UnwindFrame* unwind_frame(Streamer& out, bool in_section = true);

/// .seh_proc: a function begins here, whose name the tables do not need.
void begin_unwind_function(Streamer& out);
/// .seh_endproc: it ends here, and its tables are written (.pdata at the end, by LLVM).
void end_unwind_function(Streamer& out, UnwindFrame& f);
/// .seh_startchained, .seh_endchained (x86-64): a region within, whose prologue follows the function's.
void begin_chained_region(Streamer& out);
void end_chained_region(Streamer& out, UnwindFrame& f);
/// .seh_startepilogue
void begin_unwind_epilogue(Streamer& out, UnwindFrame& f);
/// The epilogue that is open; null (reported) if there is none.
UnwindEpilogue* unwind_epilogue(Streamer& out, UnwindFrame& f);
/// .seh_unwindv2start: popping begins here.
void start_epilogue_pops(Streamer& out, UnwindFrame& f);
/// .seh_unwindversion: of the function that is open, else of those that follow.
void set_unwind_version(Streamer& out, u8 version);

/// .seh_handler: `handler` is called for exceptions (UNW_FLAG_EHANDLER) or while unwinding (UNW_FLAG_UHANDLER).
/// May only come before `begin_handler_data`, and not in chained regions: `may_have_handler` reports it.
bool may_have_handler(Streamer& out, const UnwindFrame& f);
/// .seh_handlerdata: what follows belongs to the handler, behind the UNWIND_INFO.
void begin_handler_data(Streamer& out, UnwindFrame& f);
/// .seh_code: back to the function's section.
void end_handler_data(Streamer& out, UnwindFrame& f);

// Operations of x86-64, each behind its instruction. Registers are numbered as in instructions: rax 0, rcx 1, ... r15 15.

/// .seh_pushreg
void unwind_push_register(Streamer& out, UnwindFrame& f, u8 reg);
/// .seh_setframe: `reg` is rsp + offset, a multiple of 16 up to 240.
void unwind_set_frame(Streamer& out, UnwindFrame& f, u8 reg, u8 offset);
/// .seh_stackalloc: in bytes.
void unwind_allocate(Streamer& out, UnwindFrame& f, u32 size);
/// .seh_savereg and, for vector registers, .seh_savexmm: at rsp + offset.
void unwind_save_register(Streamer& out, UnwindFrame& f, u8 reg, u32 offset, bool xmm);
/// .seh_pushframe: the processor pushed a frame, with an error code or without.
void unwind_push_machine_frame(Streamer& out, UnwindFrame& f, bool code);
/// .seh_endprologue
void end_unwind_prologue(Streamer& out, UnwindFrame& f);

}  // namespace xas
