// SPDX-License-Identifier: Apache-2.0
// Shapes of lines in AT&T syntax (targets/line_shape.h). The runs of name characters in a line are found all at once,
// as bits of a mask; those that are an operand's number, register or name, or start one, are taken out.
//
// A number leaves the class it is of, and all numbers of a class take the same form of an instruction. Those that can
// mean a form of their own (immediates from 0 to 3) stay as they are. So it is with registers and their groups
// (shapes.h).

#include <bit>
#include <cstdlib>
#include <cstring>

#include "targets/line_masks.h"
#include "targets/text.h"
#include "targets/x86/shapes.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

namespace {

constexpr u8 mark_displacement = 0x80, mark_immediate = 0x90, mark_name = 0xA0;

using text::is_digit;

/// What may stand in front of the first character of an operand's number or name.
constexpr bool begins_operand(char before) {
  return before == ' ' || before == '\t' || before == ',' || before == '$' || before == ':' || before == '*';
}

/// The register behind `percent` is encoded as all of its group are. Of bases of addresses, number 4 has a form of its
/// own, and so has number 5 without a displacement.
inline bool is_alike(const ShapeRegister& r, const char* percent, bool has_immediate, bool has_displacement) {
  if (has_immediate && r.short_forms) return false;
  const char* before = percent - 1;
  while (*before == ' ' || *before == '\t') --before;
  return *before != '(' || (r.in_addresses && r.number != 4 && (r.number != 5 || has_displacement));
}

/// Takes out the number in [begin, end), digits only, and a sign in front of it; its mark, or 0: it stays.
u8 take_number(InstructionShape& shape, const char* p, unsigned& begin, unsigned end) {
  if (end - begin > 9 || (p[begin] == '0' && end - begin > 1)) return 0;
  u32 digits = 0;
  for (unsigned i = begin; i < end; ++i) {
    const u32 digit = u8(p[i] - '0');
    if (digit > 9) return 0;
    digits = digits * 10 + digit;
  }
  i64 v = digits;
  unsigned start = begin;
  if (p[start - 1] == '-') {
    --start;
    v = -v;
  }
  const char before = p[start - 1], after = p[end];
  if (!begins_operand(before)) return 0;
  if (after != '(' && after != ',' && after != '\n' && after != ' ' && after != '\t') return 0;
  const bool is_immediate = before == '$';
  bool& has = is_immediate ? shape.has_immediate : shape.has_displacement;
  const u8 of = is_immediate ? immediate_class(v) : displacement_class(v);
  if (of == 0 || has) return 0;
  has = true;
  (is_immediate ? shape.immediate : shape.displacement) = i32(v);
  begin = start;
  return (is_immediate ? mark_immediate : mark_displacement) + of;
}

}  // namespace

bool X86Target::instruction_shape(const LineText& line, InstructionShape& shape) const {
  if (x86_options_.any || intel_ || naked_registers_) return false;
  const char* const p = line.p;
  shape.name = {};
  shape.has_displacement = shape.has_immediate = false;
  shape.register_count = 0;
  LineMasks masks;
  masks.read<'#'>(p, 0, 32);
  if (masks.newline == 0) masks.read<'#'>(p, 32, max_shape_line);
  // The end: the newline, or the blanks before a comment.
  unsigned size = unsigned(std::countr_zero(masks.newline));
  shape.end = p + size;
  if (const u64 odd = masks.odd & ((masks.newline & -masks.newline) - 1)) [[unlikely]] {
    size = unsigned(std::countr_zero(odd));
    if (p[size] != '#') return false;  // it could be taken for a mark
    if (size == 0 || (p[size - 1] != ' ' && p[size - 1] != '\t')) return false;
    u64 before;  // the comments of a file stand in one column
    while (size >= 8 && (std::memcpy(&before, p + size - 8, 8), before == 0x2020202020202020)) size -= 8;
    while (p[size - 1] == ' ' || p[size - 1] == '\t') --size;
    if (masks.newline == 0) shape.end = static_cast<const char*>(std::memchr(p, '\n', std::size_t(line.limit - p)));
    if (!shape.end) return false;
  } else if (masks.newline == 0) {
    return false;
  }
  const u64 names = masks.name & (size == 64 ? ~u64(0) : (u64(1) << size) - 1);
  const unsigned mnemonic = unsigned(std::countr_one(names));
  if (p[mnemonic] != '\t' && p[mnemonic] != ' ') return false;
  const char* operands = p + mnemonic + 1;
  while (*operands == ' ' || *operands == '\t') ++operands;
  const bool has_immediate_operand = *operands == '$';

  ShapeKey text(p);
  unsigned addend_end = 0;  // of a number that a '+' follows
  bool has_name_in_address = false;
  u64 starts = names & ~(names << 1) & ~u64(1), stops = ~names & names << 1;
  for (stops &= stops - 1; starts; starts &= starts - 1, stops &= stops - 1) {
    unsigned begin = unsigned(std::countr_zero(starts));
    const char before = p[begin - 1];
    const unsigned stop = unsigned(std::countr_zero(stops));  // 64 at the end
    u8 mark;
    if (before == '%') {
      const unsigned length = stop - begin;
      const ShapeRegister* const r = length <= 8 ? shape_registers.find(name_word_padded(p + begin, length)) : nullptr;
      if (!r) continue;
      if (shape.register_count == InstructionFields::max_registers) return false;
      --begin;
      const bool taken = is_alike(*r, p + begin, has_immediate_operand, shape.has_displacement || has_name_in_address);
      shape.registers[shape.register_count++] = {r->number, taken};
      if (!taken) continue;
      mark = r->mark;
    } else if (is_digit(p[begin])) {
      const unsigned sign = before == '-' ? 1 : 0;
      if (p[stop] == '+' && begins_operand(p[begin - sign - 1])) addend_end = stop;
      mark = take_number(shape, p, begin, stop);
      if (mark == 0) continue;
    } else {
      // GCC writes N+NAME; the number stays.
      if (!begins_operand(before) && (before != '+' || begin != addend_end + 1)) continue;
      const char after = p[stop];
      if (after != '(' && after != ',' && after != '\n' && after != '@' && after != '+' && after != '-' &&
          after != ' ' && after != '\t')
        return false;
      if ((before == '$' && p[begin - 2] == '$') || p[stop - 1] == '.' || !shape.name.empty()) return false;
      if (line.wide_names && after == '@') return false;
      shape.name = {p + begin, stop - begin};
      has_name_in_address = !has_immediate_operand || std::memchr(operands, ',', std::size_t(p + begin - operands));
      mark = mark_name;
    }
    if (!text.take_out(begin, stop, mark)) return false;
  }
  return text.finish(size, shape.key);
}

}  // namespace xas::x86
