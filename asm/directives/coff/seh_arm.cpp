// SPDX-License-Identifier: Apache-2.0
// The .seh_* directives of ARM: one for each instruction of a prologue or an epilogue. Here their operands are read;
// what they say is asm/unwind/seh.h.
#include <fmt/format.h>

#include "asm/directives/seh.h"
#include "asm/read/parse.h"
#include "targets/text.h"

namespace xas {

namespace {

/// A register's letter ('r' or 'd') and number.
bool parse_register(Reader& reader, char kind, unsigned& number) {
  skip_blanks(reader);
  const char* where = reader.p;
  std::string name = text::lower({reader.p, name_length(reader.p)});
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

}  // namespace

/// .seh_save_regs {r0-r7, lr}      .seh_save_regs_w {r0-r12, lr}
void directive_seh_arm_save_regs(Reader& reader, u32 wide) {
  UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::arm);
  u32 mask = 0;
  if (f && parse_list(reader, 'r', mask)) unwind_save_mask(reader.out, *f, mask, wide);
}

/// .seh_save_sp register
void directive_seh_arm_save_sp(Reader& reader, u32) {
  UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::arm);
  unsigned number;
  if (f && parse_register(reader, 'r', number))
    unwind_save_sp(reader.out, *f, {.reg = {'r', u8(number)}});
}

/// .seh_save_fregs {d8-d15}
void directive_seh_arm_save_fregs(Reader& reader, u32) {
  UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::arm);
  u32 mask = 0;
  if (f && parse_list(reader, 'd', mask)) unwind_save_vector_mask(reader.out, *f, mask);
}

/// .seh_save_lr offset
void directive_seh_arm_save_lr(Reader& reader, u32) {
  UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::arm);
  UnwindOperands o;
  if (f && parse_unwind_offset(reader, o, "the offset")) unwind_save_lr(reader.out, *f, o);
}

/// .seh_nop      .seh_nop_w: an instruction that there is nothing to undo of
void directive_seh_nop(Reader& reader, u32 wide) {
  const bool on_arm = is_arm(reader.program());
  if (UnwindFrame* f = open_unwind_frame(reader, on_arm || wide ? UnwindMachine::arm : UnwindMachine::arm64))
    unwind_nop(reader.out, *f, wide);
}

/// .seh_custom byte, ...: a code of up to four bytes
void directive_seh_arm_custom(Reader& reader, u32) {
  UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::arm);
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
  unwind_custom(reader.out, *f, bytes);
}

/// .seh_startepilogue_cond condition
void directive_seh_arm_startepilogue_cond(Reader& reader, u32) {
  constexpr std::string_view conditions[] = {"eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc",
                                             "hi", "ls", "ge", "lt", "gt", "le", "al"};
  UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::arm);
  if (!f) return;
  skip_blanks(reader);
  const char* where = reader.p;
  std::string name = text::lower({reader.p, name_length(reader.p)});
  reader.p += name.size();
  if (name == "cs") name = "hs";
  if (name == "cc") name = "lo";
  for (u8 i = 0; i < std::size(conditions); ++i)
    if (conditions[i] == name) return begin_unwind_epilogue(reader.out, *f, i);
  reader.error(where, "expected a condition");
}

}  // namespace xas
