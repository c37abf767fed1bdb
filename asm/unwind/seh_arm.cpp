// SPDX-License-Identifier: Apache-2.0
// The verbs of ARM Windows unwind information (seh.h): one for each instruction of a prologue or an epilogue
// (targets/arm/win_unwind.h).
#include <fmt/format.h>

#include <bit>

#include "asm/program/streamer.h"
#include "asm/unwind/seh.h"

namespace xas {

namespace {

using ArmUnwind = arm::WinUnwind;

void error(Streamer& out, const char* message) { out.error(out.program.sources.statement, message); }

bool is_offset(Streamer& out, i64 value, i64 high, const char* what, const char* at) {
  if (value >= 0 && value <= high && value % 4 == 0) return true;
  out.error(at, fmt::format("{} {} is not a multiple of 4 from 0 to {}", what, value, high));
  return false;
}

}  // namespace

/// Belongs to the epilogue that is open, else to the prologue.
void add_arm_code(Streamer& out, UnwindFrame& f, const arm::WinUnwindCode& code) {
  if (out.program.unwind.in_epilogue) {
    f.epilogues.back().thumb_codes.push_back(code);
  } else if (f.prologue_end != no_symbol) {
    error(out, "this function's prologue has ended, and no epilogue is open; .seh_startepilogue begins one");
  } else {
    f.thumb_codes.push_back(code);
  }
}

void allocate_on_arm(Streamer& out, UnwindFrame& f, i64 size, const char* at, bool wide) {
  if (!is_offset(out, size, 0xFFFFFF * i64(4), "the size", at)) return;
  const i64 words = size / 4;
  ArmUnwind operation = words > 0xFFFF ? ArmUnwind::alloc_huge
                        : words > 0x7F ? ArmUnwind::alloc_large
                                       : ArmUnwind::alloc_small;
  if (wide)
    operation = words > 0xFFFF  ? ArmUnwind::wide_alloc_huge
                : words > 0x3FF ? ArmUnwind::wide_alloc_large
                                : ArmUnwind::wide_alloc_medium;
  add_arm_code(out, f, {operation, 0, u32(size)});
}

void unwind_save_mask(Streamer& out, UnwindFrame& f, u32 mask, bool wide) {
  if (mask & (1u << 15)) mask = (mask & ~(1u << 15)) | 1u << 14;  // pop {pc} restores lr
  if (mask & ~(wide ? 0x5FFFu : 0x40FFu)) {
    return error(out, wide ? "only r0 to r12 and lr can be saved"
                           : "only r0 to r7 and lr can be saved; .seh_save_regs_w has more");
  }
  const u32 lr = mask >> 14 & 1, general = mask & 0x1FFF;
  // One run from r4 on has a shorter code.
  const bool run = general && ((general + 0x10) & general) == 0;
  const u32 last = general ? u32(std::bit_width(general)) - 1 : 0;
  if (run && !wide) return add_arm_code(out, f, {ArmUnwind::save_r4_r7, last, lr});
  if (run && last >= 8 && last <= 11 && (general & 0xFF) == 0xF0)
    return add_arm_code(out, f, {ArmUnwind::wide_save_r4_r11, last, lr});
  add_arm_code(out, f, {wide ? ArmUnwind::wide_save_mask : ArmUnwind::save_mask, mask});
}

void unwind_save_vector_mask(Streamer& out, UnwindFrame& f, u32 mask) {
  if (mask == 0) return error(out, "expected a list of registers");
  const u32 first = u32(std::countr_zero(mask)), last = u32(std::bit_width(mask)) - 1;
  if (std::popcount(mask) != int(last - first + 1)) return error(out, "the registers must be consecutive");
  if (first < 16 && last > 15) return error(out, "the registers must be of d0 to d15, or of d16 to d31");
  if (first == 8) return add_arm_code(out, f, {ArmUnwind::save_d8, last});
  add_arm_code(out, f, {first < 16 ? ArmUnwind::save_d0 : ArmUnwind::save_d16, first, last});
}

void unwind_save_sp(Streamer& out, UnwindFrame& f, const UnwindOperands& o) {
  if (o.reg.kind != 'r') return out.error(o.reg_at, "expected a general register");
  if (o.reg.number == 13 || o.reg.number == 15) return error(out, "sp and pc can't hold the stack pointer");
  add_arm_code(out, f, {ArmUnwind::save_sp, o.reg.number});
}

void unwind_save_lr(Streamer& out, UnwindFrame& f, const UnwindOperands& o) {
  if (is_offset(out, o.offset, 0xF * 4, "the offset", o.offset_at))
    add_arm_code(out, f, {ArmUnwind::save_lr, 0, u32(o.offset)});
}

void unwind_custom(Streamer& out, UnwindFrame& f, u32 bytes) { add_arm_code(out, f, {ArmUnwind::custom, bytes}); }

/// The last instruction, if it only returns, is told with the end.
void end_arm_epilogue(UnwindEpilogue& e) {
  ArmUnwind end = ArmUnwind::end;
  if (!e.thumb_codes.empty()) {
    const ArmUnwind last = e.thumb_codes.back().operation;
    if (last == ArmUnwind::nop || last == ArmUnwind::wide_nop) {
      end = last == ArmUnwind::nop ? ArmUnwind::end_nop : ArmUnwind::wide_end_nop;
      e.thumb_codes.pop_back();
    }
  }
  e.thumb_codes.push_back({end});
}

}  // namespace xas
