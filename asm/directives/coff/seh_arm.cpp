// SPDX-License-Identifier: Apache-2.0
// The .seh_* directives of ARM: one for each instruction of a prologue or an epilogue. Here their operands are read;
// what they say is asm/unwind/seh.h.
#include <fmt/format.h>

#include "asm/directives/arm.h"
#include "asm/directives/seh.h"
#include "asm/read/parse.h"
#include "targets/arm/arm.h"
#include "targets/text.h"

namespace xas {

namespace {

/// '{' register [ '-' register ] { ',' ... } '}', all general or all double, as a bit for each.
bool parse_list(Reader& reader, bool vector, u32& mask) {
  skip_blanks(reader);
  if (*reader.p != '{') return reader.error_here("expected a list of registers in braces"), false;
  do {
    ++reader.p;
    skip_blanks(reader);
    const char* where = reader.p;
    ArmRegisterRange range;
    if (!parse_register_range(reader, range)) return false;
    if (range.vector != vector)
      return reader.error(where, vector ? "expected one of the registers d0 to d31" : "expected a general register"),
             false;
    mask |= range.mask();
    skip_blanks(reader);
  } while (*reader.p == ',');
  if (*reader.p != '}') return reader.error_here("expected ',' or '}' in the list"), false;
  ++reader.p;
  return true;
}

}  // namespace

/// .seh_save_regs {r0-r7, lr}      .seh_save_regs_w {r0-r12, lr}
void directive_seh_arm_save_regs(Reader& reader, u32 wide) {
  UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::arm);
  u32 mask = 0;
  if (f && parse_list(reader, false, mask)) unwind_save_mask(reader.out, *f, mask, wide);
}

/// .seh_save_sp register
void directive_seh_arm_save_sp(Reader& reader, u32) {
  UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::arm);
  if (!f) return;
  skip_blanks(reader);
  UnwindOperands o{.reg_at = reader.p};
  const int number = parse_any_register(reader, reader.p);
  if (number >= 0) o.reg = reader.program().target.win_register(number);
  unwind_save_sp(reader.out, *f, o);
}

/// .seh_save_fregs {d8-d15}
void directive_seh_arm_save_fregs(Reader& reader, u32) {
  UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::arm);
  u32 mask = 0;
  if (f && parse_list(reader, true, mask)) unwind_save_vector_mask(reader.out, *f, mask);
}

/// .seh_save_lr offset
void directive_seh_arm_save_lr(Reader& reader, u32) {
  UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::arm);
  UnwindOperands o;
  if (f && parse_unwind_offset(reader, o, "the offset")) unwind_save_lr(reader.out, *f, o);
}

/// .seh_nop      .seh_nop_w: an instruction that there is nothing to undo of
void directive_seh_nop(Reader& reader, u32 wide) {
  const bool on_arm = reader.program().unwind.machine == UnwindMachine::arm;
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
  UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::arm);
  if (!f) return;
  skip_blanks(reader);
  const char* where = reader.p;
  const std::size_t length = name_length(where);
  const int condition = length == 2 ? arm::condition_number(text::lower(where[0]), text::lower(where[1])) : -1;
  if (condition < 0) return reader.error(where, "expected a condition");
  reader.p += length;
  begin_unwind_epilogue(reader.out, *f, u8(condition));
}

}  // namespace xas
