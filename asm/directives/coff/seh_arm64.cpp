// SPDX-License-Identifier: Apache-2.0
// The .seh_* directives of ARM64: one for each instruction of a prologue or an epilogue (targets/aarch64/win_unwind.h).
#include <fmt/format.h>

#include "asm/directives/seh.h"
#include "asm/read/parse.h"

namespace xas {

namespace {

using Op = aarch64::WinUnwind;

constexpr unsigned lr = 30;

/// Belongs to the epilogue that is open, else to the prologue.
void add_code(Streamer& out, UnwindFrame& f, const aarch64::WinUnwindCode& code) {
  if (out.program.unwind.in_epilogue) {
    f.epilogues.back().codes.push_back(code);
  } else if (f.prologue_end != no_symbol) {
    out.error(out.program.sources.statement,
              "this function's prologue has ended, and no epilogue is open; .seh_startepilogue begins one");
  } else {
    f.codes.push_back(code);
  }
}

/// A register as written: its class ('x', 'd', 'q', 'z', 'p') and number.
bool parse_register(Reader& reader, char& kind, unsigned& number) {
  skip_blanks(reader);
  const char* where = reader.p;
  std::string name(reader.p, name_length(reader.p));
  for (char& c : name) c = char(c >= 'A' && c <= 'Z' ? c + 32 : c);
  if (name == "fp" || name == "lr") name = name == "fp" ? "x29" : "x30";
  const std::string_view digits = std::string_view(name).substr(name.empty() ? 0 : 1);
  number = 0;
  for (char c : digits) number = c >= '0' && c <= '9' && number < 100 ? number * 10 + unsigned(c - '0') : 100;
  kind = name.empty() ? '\0' : name[0];
  const bool known = kind == 'x' || kind == 'd' || kind == 'q' || kind == 'z' || kind == 'p';
  if (!known || digits.empty() || number > (kind == 'x' ? 30 : kind == 'p' ? 15 : 31)) {
    return reader.error(where, "expected a register"), false;
  }
  reader.p = where + name_length(where);
  return true;
}

/// One of the registers `first` to `last` of a class.
bool parse_register_in(Reader& reader, char kind, unsigned first, unsigned last, unsigned step, unsigned& number) {
  skip_blanks(reader);
  const char* where = reader.p;
  char found;
  if (!parse_register(reader, found, number)) return false;
  if (found != kind || number < first || number > last) {
    return reader.error(where, fmt::format("expected a register from {0}{1} to {0}{2}", kind, first, last)), false;
  }
  if ((number - first) % step) {
    return reader.error(where, fmt::format("expected a register an even number behind {}{}", kind, first)), false;
  }
  return true;
}

bool parse_offset(Reader& reader, i64 low, i64 high, i64 unit, std::string_view what, i64& offset) {
  skip_blanks(reader);
  const char* where = reader.p;
  if (!reader.absolute(offset, what)) return false;
  if (offset >= low && offset <= high && offset % unit == 0) return true;
  const std::string multiple = unit == 1 ? "a number" : fmt::format("a multiple of {}", unit);
  return reader.error(where, fmt::format("{} {} is not {} from {} to {}", what, offset, multiple, low, high)), false;
}

}  // namespace

/// .seh_stackalloc size
void seh_arm64_stackalloc(Reader& reader, UnwindFrame& f) {
  skip_blanks(reader);
  const char* where = reader.p;
  i64 size;
  if (!parse_offset(reader, 0, 0xFFFFFFF, 1, "the size", size)) return;
  if (size % 16)
    reader.warning(where, fmt::format("the size {} is not a multiple of 16; it is told as {}", size, size & ~15));
  size &= ~15;
  add_code(reader.out, f, {size < 512 ? Op::alloc_s : size < 16384 ? Op::alloc_m : Op::alloc_l, 0, u32(size)});
}

/// What has at most a register and an offset; `operation` is a WinUnwind.
void directive_seh_arm64(Reader& reader, u32 operation) {
  if (reader.program().unwind.arm && Op(operation) == Op::nop) return directive_seh_arm_nop(reader, 0);
  UnwindFrame* f = open_arm64_frame(reader);
  if (!f) return;
  const aarch64::WinUnwindForm& form = win_unwind_form(Op(operation));
  aarch64::WinUnwindCode code{Op(operation)};
  if (form.last) {
    unsigned number;
    const char kind = code.operation >= Op::save_fregp ? 'd' : 'x';
    if (!parse_register_in(reader, kind, form.first, form.last, form.step, number) ||
        !expect_comma(reader, "the register"))
      return;
    code.reg = u8(number);
  }
  if (form.offset_bits) {
    i64 offset;
    const i64 low = i64(form.less) * form.unit, high = low + ((i64(1) << form.offset_bits) - 1) * form.unit;
    // save_r19r20_x has the longer form for what lies beyond.
    if (!parse_offset(reader, low, high, form.unit, "the offset", offset)) return;
    code.offset = u32(offset);
  }
  add_code(reader.out, *f, code);
}

/// .seh_save_any_reg register, offset, and with _p (a pair), _x (which makes the room), _px
void directive_seh_save_any(Reader& reader, u32 flags) {
  UnwindFrame* f = open_arm64_frame(reader);
  if (!f) return;
  skip_blanks(reader);
  const char* where = reader.p;
  char kind;
  unsigned number;
  if (!parse_register(reader, kind, number)) return;
  if (kind != 'x' && kind != 'd' && kind != 'q') return reader.error(where, "expected one of the x, d or q registers");
  const bool pair = flags & save_any_pair, room = flags & save_any_room;
  if (pair && (kind == 'x' ? number == lr : number == 31)) {
    return reader.error(where, fmt::format("{}{} is the last register: no pair begins with it", kind, number));
  }
  if (!expect_comma(reader, "the register")) return;
  const i64 unit = pair || room || kind == 'q' ? 16 : 8;
  i64 offset;
  if (!parse_offset(reader, room ? unit : 0, (room ? 64 : 63) * unit, unit, "the offset", offset)) return;
  const u32 mode = kind == 'x' ? 0 : kind == 'd' ? 1 : 2;
  add_code(
      reader.out, *f,
      {Op::save_any_reg, u8(number | (room ? 0x20 : 0) | (pair ? 0x40 : 0)), mode << 6 | u32(offset / unit - room)});
}

/// .seh_save_zreg register, offset      .seh_save_preg register, offset: in units of a vector's length, or an eighth of
/// it
void directive_seh_save_scalable(Reader& reader, u32 predicate) {
  UnwindFrame* f = open_arm64_frame(reader);
  if (!f) return;
  unsigned number;
  i64 offset;
  if (predicate ? !parse_register_in(reader, 'p', 4, 15, 1, number) : !parse_register_in(reader, 'z', 8, 23, 1, number))
    return;
  if (!expect_comma(reader, "the register") || !parse_offset(reader, 0, 255, 1, "the offset", offset)) return;
  const unsigned reg = predicate ? number | 0x10 : number - 8;
  add_code(reader.out, *f, {Op::save_any_reg, u8(reg | (offset & 0xC0) >> 1), u32(0xC0 | (offset & 0x3F))});
}

void seh_arm64_endprologue(Streamer& out, UnwindFrame& f) {
  if (f.prologue_end != no_symbol)
    return out.error(out.program.sources.statement, "this function's prologue has ended already");
  f.prologue_end = out.make_label_here();
  f.codes.insert(f.codes.begin(), {Op::end});
}

void seh_arm64_endepilogue(UnwindEpilogue& e) { e.codes.push_back({Op::end}); }

}  // namespace xas
