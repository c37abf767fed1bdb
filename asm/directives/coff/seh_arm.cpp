// SPDX-License-Identifier: Apache-2.0
// The .seh_* directives of ARM: one for each instruction of a prologue or an epilogue (targets/arm/win_unwind.h).
#include <fmt/format.h>

#include <bit>

#include "asm/directives/seh.h"
#include "asm/read/parse.h"

namespace xas {

namespace {

using Op = arm::WinUnwind;

/// Belongs to the epilogue that is open, else to the prologue.
void add_code(Streamer& out, UnwindFrame& f, const arm::WinUnwindCode& code) {
  if (out.program.unwind.in_epilogue) {
    f.epilogues.back().thumb_codes.push_back(code);
  } else if (f.prologue_end != no_symbol) {
    out.error(out.program.sources.statement,
              "this function's prologue has ended, and no epilogue is open; .seh_startepilogue begins one");
  } else {
    f.thumb_codes.push_back(code);
  }
}

/// A register's letter ('r' or 'd') and number.
bool parse_register(Reader& reader, char kind, unsigned& number) {
  skip_blanks(reader);
  const char* where = reader.p;
  std::string name(reader.p, name_length(reader.p));
  for (char& c : name) c = char(c >= 'A' && c <= 'Z' ? c + 32 : c);
  if (name == "sp") name = "r13";
  if (name == "lr") name = "r14";
  if (name == "pc") name = "r15";
  if (name == "ip") name = "r12";
  if (name == "fp") name = "r11";
  const std::string_view digits = std::string_view(name).substr(name.empty() ? 0 : 1);
  number = 0;
  for (char c : digits) number = c >= '0' && c <= '9' && number < 100 ? number * 10 + unsigned(c - '0') : 100;
  if (name.empty() || name[0] != kind || digits.empty() || number > (kind == 'r' ? 15u : 31u)) {
    reader.error(where, kind == 'r' ? "expected a general register" : "expected one of the registers d0 to d31");
    return false;
  }
  reader.p = where + name_length(where);
  return true;
}

/// The registers that one name stands for, q4 being d8 and d9: `number` to `last`.
bool parse_registers(Reader& reader, char kind, unsigned& number, unsigned& last) {
  skip_blanks(reader);
  const char* where = reader.p;
  const bool quad = kind == 'd' && (*reader.p | 0x20) == 'q';
  if (!parse_register(reader, quad ? 'q' : kind, number)) return false;
  if (quad && number > 15) return reader.error(where, "expected one of the registers q0 to q15"), false;
  if (quad) number *= 2;
  last = number + quad;
  return true;
}

/// '{' register [ '-' register ] { ',' ... } '}', as a bit for each.
bool parse_list(Reader& reader, char kind, u32& mask) {
  skip_blanks(reader);
  if (*reader.p != '{') return reader.error_here("expected a list of registers in braces"), false;
  ++reader.p;
  for (;;) {
    unsigned first, last;
    if (!parse_registers(reader, kind, first, last)) return false;
    skip_blanks(reader);
    if (*reader.p == '-') {
      ++reader.p;
      const char* where = reader.p;
      unsigned from;
      if (!parse_registers(reader, kind, from, last)) return false;
      if (last < first) return reader.error(where, "a range ends with a register of a higher number"), false;
      skip_blanks(reader);
    }
    for (unsigned n = first; n <= last; ++n) mask |= 1u << n;
    if (*reader.p == ',') {
      ++reader.p;
      continue;
    }
    if (*reader.p != '}') return reader.error_here("expected ',' or '}' in the list"), false;
    ++reader.p;
    return true;
  }
}

bool parse_offset(Reader& reader, i64 high, std::string_view what, u32& offset) {
  skip_blanks(reader);
  const char* where = reader.p;
  i64 value;
  if (!reader.absolute(value, what)) return false;
  offset = u32(value);
  if (value >= 0 && value <= high && value % 4 == 0) return true;
  return reader.error(where, fmt::format("{} {} is not a multiple of 4 from 0 to {}", what, value, high)), false;
}

}  // namespace

/// .seh_stackalloc size      .seh_stackalloc_w size
void directive_seh_arm_stackalloc(Reader& reader, u32 wide) {
  UnwindFrame* f = open_arm_frame(reader);
  u32 size;
  if (!f || !parse_offset(reader, 0xFFFFFF * i64(4), "the size", size)) return;
  const u32 words = size / 4;
  Op operation = words > 0xFFFF ? Op::alloc_huge : words > 0x7F ? Op::alloc_large : Op::alloc_small;
  if (wide)
    operation = words > 0xFFFF ? Op::wide_alloc_huge : words > 0x3FF ? Op::wide_alloc_large : Op::wide_alloc_medium;
  add_code(reader.out, *f, {operation, 0, size});
}

/// .seh_save_regs {r0-r7, lr}      .seh_save_regs_w {r0-r12, lr}
void directive_seh_arm_save_regs(Reader& reader, u32 wide) {
  UnwindFrame* f = open_arm_frame(reader);
  u32 mask = 0;
  if (!f || !parse_list(reader, 'r', mask)) return;
  if (mask & (1u << 15)) mask = (mask & ~(1u << 15)) | 1u << 14;  // pop {pc} restores lr
  if (mask & ~(wide ? 0x5FFFu : 0x40FFu)) {
    return reader.error(wide ? "only r0 to r12 and lr can be saved"
                         : "only r0 to r7 and lr can be saved; .seh_save_regs_w has more");
  }
  const u32 lr = mask >> 14 & 1, general = mask & 0x1FFF;
  // One run from r4 on has a shorter code.
  const bool run = general && ((general + 0x10) & general) == 0;
  const u32 last = general ? u32(std::bit_width(general)) - 1 : 0;
  if (run && !wide) return add_code(reader.out, *f, {Op::save_r4_r7, last, lr});
  if (run && last >= 8 && last <= 11 && (general & 0xFF) == 0xF0)
    return add_code(reader.out, *f, {Op::wide_save_r4_r11, last, lr});
  add_code(reader.out, *f, {wide ? Op::wide_save_mask : Op::save_mask, mask});
}

/// .seh_save_sp register
void directive_seh_arm_save_sp(Reader& reader, u32) {
  UnwindFrame* f = open_arm_frame(reader);
  unsigned reg;
  if (!f || !parse_register(reader, 'r', reg)) return;
  if (reg == 13 || reg == 15) return reader.error("sp and pc can't hold the stack pointer");
  add_code(reader.out, *f, {Op::save_sp, reg});
}

/// .seh_save_fregs {d8-d15}
void directive_seh_arm_save_fregs(Reader& reader, u32) {
  UnwindFrame* f = open_arm_frame(reader);
  u32 mask = 0;
  if (!f || !parse_list(reader, 'd', mask)) return;
  const u32 first = u32(std::countr_zero(mask)), last = u32(std::bit_width(mask)) - 1;
  if (std::popcount(mask) != int(last - first + 1)) return reader.error("the registers must be consecutive");
  if (first < 16 && last > 15) return reader.error("the registers must be of d0 to d15, or of d16 to d31");
  if (first == 8) return add_code(reader.out, *f, {Op::save_d8, last});
  add_code(reader.out, *f, {first < 16 ? Op::save_d0 : Op::save_d16, first, last});
}

/// .seh_save_lr offset
void directive_seh_arm_save_lr(Reader& reader, u32) {
  UnwindFrame* f = open_arm_frame(reader);
  u32 offset;
  if (f && parse_offset(reader, 0xF * 4, "the offset", offset)) add_code(reader.out, *f, {Op::save_lr, 0, offset});
}

/// .seh_nop      .seh_nop_w: an instruction that there is nothing to undo of
void directive_seh_arm_nop(Reader& reader, u32 wide) {
  if (UnwindFrame* f = open_arm_frame(reader)) add_code(reader.out, *f, {wide ? Op::wide_nop : Op::nop});
}

/// .seh_custom byte, ...: a code of up to four bytes
void directive_seh_arm_custom(Reader& reader, u32) {
  UnwindFrame* f = open_arm_frame(reader);
  if (!f) return;
  u32 bytes = 0;
  unsigned count = 0;
  do {
    skip_blanks(reader);
    const char* where = reader.p;
    i64 value;
    if (!reader.absolute(value, "the byte")) return;
    if (value < 0 || value > 255) return reader.error(where, fmt::format("{} is not a byte (0 to 255)", value));
    if (count && bytes == 0) return reader.error(where, "a code of several bytes does not begin with 0");
    if (++count > 4) return reader.error(where, "a code has at most four bytes");
    bytes = bytes << 8 | u32(value);
  } while (accept_comma(reader));
  add_code(reader.out, *f, {Op::custom, bytes});
}

/// .seh_endprologue      .seh_endprologue_fragment
void directive_seh_arm_endprologue(Reader& reader, u32 fragment) {
  UnwindFrame* f = open_arm_frame(reader);
  if (!f) return;
  if (f->prologue_end != no_symbol) return reader.error("this function's prologue has ended already");
  f->prologue_end = reader.out.make_label_here();
  f->fragment = fragment;
  f->thumb_codes.insert(f->thumb_codes.begin(), {Op::end});
}

/// .seh_startepilogue_cond condition
void directive_seh_arm_startepilogue_cond(Reader& reader, u32) {
  constexpr std::string_view conditions[] = {"eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc",
                                             "hi", "ls", "ge", "lt", "gt", "le", "al"};
  if (!open_arm_frame(reader)) return;
  skip_blanks(reader);
  const char* where = reader.p;
  std::string name(reader.p, name_length(reader.p));
  for (char& c : name) c = char(c >= 'A' && c <= 'Z' ? c + 32 : c);
  reader.p += name.size();
  if (name == "cs") name = "hs";
  if (name == "cc") name = "lo";
  for (u8 i = 0; i < std::size(conditions); ++i) {
    if (conditions[i] != name) continue;
    const u32 errors = reader.program().diags.errors();
    directive_seh_startepilogue(reader, 0);
    if (reader.program().diags.errors() == errors)
      reader.program().unwind.frames[reader.program().unwind.open].epilogues.back().condition = i;
    return;
  }
  reader.error(where, "expected a condition");
}

/// The last instruction, if it only returns, is told with the end.
void seh_arm_endepilogue(UnwindEpilogue& e) {
  Op end = Op::end;
  if (!e.thumb_codes.empty()) {
    const Op last = e.thumb_codes.back().operation;
    if (last == Op::nop || last == Op::wide_nop) {
      end = last == Op::nop ? Op::end_nop : Op::wide_end_nop;
      e.thumb_codes.pop_back();
    }
  }
  e.thumb_codes.push_back({end});
}

}  // namespace xas
