// SPDX-License-Identifier: Apache-2.0
// The verbs of ARM64 Windows unwind information (seh.h): one for each instruction of a prologue or an epilogue
// (targets/aarch64/win_unwind.h).
#include <fmt/format.h>

#include "asm/program/streamer.h"
#include "asm/unwind/seh.h"

namespace xas {

namespace {

using Arm64Unwind = aarch64::WinUnwind;

constexpr unsigned lr = 30;

/// It is one of the registers `first` to `last` of a class.
bool is_register(Streamer& out, const UnwindOperands& o, char kind, unsigned first, unsigned last, unsigned step = 1) {
  const unsigned number = o.reg.number;
  if (o.reg.kind != kind || number < first || number > last) {
    out.error(o.reg_at, fmt::format("expected a register from {0}{1} to {0}{2}", kind, first, last));
    return false;
  }
  if ((number - first) % step) {
    out.error(o.reg_at, fmt::format("expected a register an even number behind {}{}", kind, first));
    return false;
  }
  return true;
}

bool is_offset(Streamer& out, i64 offset, i64 low, i64 high, i64 unit, const char* what, const char* at) {
  if (offset >= low && offset <= high && offset % unit == 0) return true;
  const std::string multiple = unit == 1 ? "a number" : fmt::format("a multiple of {}", unit);
  out.error(at, fmt::format("{} {} is not {} from {} to {}", what, offset, multiple, low, high));
  return false;
}

bool is_offset(Streamer& out, const UnwindOperands& o, i64 low, i64 high, i64 unit) {
  return is_offset(out, o.offset, low, high, unit, "the offset", o.offset_at);
}

}  // namespace

/// Belongs to the epilogue that is open, else to the prologue.
void add_arm64_code(Streamer& out, UnwindFrame& f, const aarch64::WinUnwindCode& code) {
  if (out.program.unwind.in_epilogue) {
    f.epilogues.back().codes.push_back(code);
  } else if (f.prologue_end != no_symbol) {
    out.error(out.program.sources.statement,
              "this function's prologue has ended, and no epilogue is open; .seh_startepilogue begins one");
  } else {
    f.codes.push_back(code);
  }
}

void allocate_on_arm64(Streamer& out, UnwindFrame& f, i64 size, const char* at) {
  if (!is_offset(out, size, 0, 0xFFFFFFF, 1, "the size", at)) return;
  if (size % 16)
    out.warning(at, fmt::format("the size {} is not a multiple of 16; it is told as {}", size, size & ~15));
  size &= ~15;
  add_arm64_code(out, f,
                 {size < 512     ? Arm64Unwind::alloc_s
                  : size < 16384 ? Arm64Unwind::alloc_m
                                 : Arm64Unwind::alloc_l,
                  0, u32(size)});
}

void unwind_arm64(Streamer& out, UnwindFrame& f, Arm64Unwind operation, const UnwindOperands& o) {
  const aarch64::WinUnwindForm& form = win_unwind_form(operation);
  aarch64::WinUnwindCode code{operation};
  if (form.last) {
    const char kind = operation >= Arm64Unwind::save_fregp ? 'd' : 'x';
    if (!is_register(out, o, kind, form.first, form.last, form.step)) return;
    code.reg = o.reg.number;
  }
  if (form.offset_bits) {
    const i64 low = i64(form.less) * form.unit, high = low + ((i64(1) << form.offset_bits) - 1) * form.unit;
    // save_r19r20_x has the longer form for what lies beyond.
    if (!is_offset(out, o, low, high, form.unit)) return;
    code.offset = u32(o.offset);
  }
  add_arm64_code(out, f, code);
}

void unwind_save_any(Streamer& out, UnwindFrame& f, const UnwindOperands& o, bool pair, bool room) {
  const char kind = o.reg.kind;
  const unsigned number = o.reg.number;
  if (kind != 'x' && kind != 'd' && kind != 'q')
    return out.error(o.reg_at, "expected one of the x, d or q registers");
  if (pair && (kind == 'x' ? number == lr : number == 31)) {
    return out.error(o.reg_at, fmt::format("{}{} is the last register: no pair begins with it", kind, number));
  }
  const i64 unit = pair || room || kind == 'q' ? 16 : 8;
  if (!is_offset(out, o, room ? unit : 0, (room ? 64 : 63) * unit, unit)) return;
  const u32 mode = kind == 'x' ? 0 : kind == 'd' ? 1 : 2;
  add_arm64_code(out, f,
                 {Arm64Unwind::save_any_reg, u8(number | (room ? 0x20 : 0) | (pair ? 0x40 : 0)),
                  mode << 6 | u32(o.offset / unit - room)});
}

void unwind_save_scalable(Streamer& out, UnwindFrame& f, const UnwindOperands& o, bool predicate) {
  if (!(predicate ? is_register(out, o, 'p', 4, 15) : is_register(out, o, 'z', 8, 23))) return;
  if (!is_offset(out, o, 0, 255, 1)) return;
  const unsigned reg = predicate ? o.reg.number | 0x10 : o.reg.number - 8u;
  add_arm64_code(out, f, {Arm64Unwind::save_any_reg, u8(reg | (o.offset & 0xC0) >> 1), u32(0xC0 | (o.offset & 0x3F))});
}

}  // namespace xas
