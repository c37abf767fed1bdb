// SPDX-License-Identifier: Apache-2.0
// The .seh_* directives of ARM64: one for each instruction of a prologue or an epilogue. Here their operands are read;
// what they say is asm/unwind/seh.h.
#include "asm/directives/seh.h"
#include "asm/read/parse.h"
#include "targets/text.h"

namespace xas {

namespace {

/// A register as written: its class ('x', 'd', 'q', 'z', 'p') and number.
bool parse_register(Reader& reader, UnwindOperands& o) {
  skip_blanks(reader);
  const char* where = reader.p;
  std::string name = text::lower({reader.p, name_length(reader.p)});
  if (name == "fp" || name == "lr") name = name == "fp" ? "x29" : "x30";
  const std::string_view digits = std::string_view(name).substr(name.empty() ? 0 : 1);
  unsigned number = 0;
  for (char c : digits) number = c >= '0' && c <= '9' && number < 100 ? number * 10 + unsigned(c - '0') : 100;
  const char kind = name.empty() ? '\0' : name[0];
  const bool known = kind == 'x' || kind == 'd' || kind == 'q' || kind == 'z' || kind == 'p';
  if (!known || digits.empty() || number > (kind == 'x' ? 30 : kind == 'p' ? 15 : 31)) {
    return reader.error(where, "expected a register"), false;
  }
  o.reg = {kind, u8(number)};
  o.reg_at = where;
  reader.p = where + name_length(where);
  return true;
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
