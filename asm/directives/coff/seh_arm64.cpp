// SPDX-License-Identifier: Apache-2.0
// The .seh_* directives of ARM64: one for each instruction of a prologue or an epilogue. Here their operands are read;
// what they say is asm/unwind/seh.h.
#include "asm/directives/seh.h"
#include "asm/read/parse.h"

namespace xas {

namespace {

bool parse_register(Reader& reader, UnwindOperands& o) {
  skip_blanks(reader);
  o.reg_at = reader.p;
  const int number = parse_any_register(reader, reader.p);
  if (number >= 0) o.reg = reader.program().target.win_register(number);
  return o.reg.kind ? true : (reader.error(o.reg_at, "expected a register"), false);
}

/// register, offset
bool parse_operands(Reader& reader, UnwindOperands& o) {
  return parse_register(reader, o) && expect_comma(reader, "the register") &&
         parse_unwind_offset(reader, o, "the offset");
}

}  // namespace

/// What has at most a register and an offset; `operation` is a WinUnwind.
void directive_seh_arm64(Reader& reader, u32 operation) {
  UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::arm64);
  if (!f) return;
  const auto op = aarch64::WinUnwind(operation);
  const aarch64::WinUnwindForm& form = win_unwind_form(op);
  UnwindOperands o;
  if (form.last ? parse_operands(reader, o) : !form.offset_bits || parse_unwind_offset(reader, o, "the offset"))
    unwind_arm64(reader.out, *f, op, o);
}

/// .seh_save_any_reg register, offset, and with _p (a pair), _x (which makes the room), _px
void directive_seh_save_any(Reader& reader, u32 flags) {
  UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::arm64);
  UnwindOperands o;
  if (f && parse_operands(reader, o))
    unwind_save_any(reader.out, *f, o, flags & save_any_pair, flags & save_any_room);
}

/// .seh_save_zreg register, offset      .seh_save_preg register, offset
void directive_seh_save_scalable(Reader& reader, u32 predicate) {
  UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::arm64);
  UnwindOperands o;
  if (f && parse_operands(reader, o)) unwind_save_scalable(reader.out, *f, o, predicate);
}

}  // namespace xas
