// SPDX-License-Identifier: Apache-2.0
// Shapes of lines of A64 (targets/line_shape.h): all registers but the zero register and the stack pointer, and all
// decimal numbers are taken out; what stands behind a vector register's number (.4s) stays. Registers are known by
// their letters and numbers, without a sign in front of them, so that names are taken out only where they can be
// nothing else: behind an operator, and in branches and adr.

#include <array>
#include <bit>

#include "targets/aarch64/aarch64.h"
#include "targets/line_masks.h"
#include "targets/text.h"

namespace xas::aarch64 {

namespace {

constexpr u8 mark_number = 0x80, mark_negative = 0x81, mark_name = 0xA0;

using text::is_digit;

/// The second letters of conditions, a bit for each, by the first.
constexpr std::array<u32, 32> conditions = [] {
  std::array<u32, 32> letters{};
  constexpr std::string_view all = "eqnecshscclomiplvsvchilsgeltgtle";
  for (std::size_t i = 0; i < all.size(); i += 2) letters[u8(all[i]) & 31] |= u32(1) << (all[i + 1] & 31);
  return letters;
}();

/// The instructions that take the name of a place as it is: b, bl, b.eq, beq, cbz, tbnz, adr, adrp.
bool takes_place(const char* p, unsigned length) {
  if (p[0] == 'a') return p[1] == 'd' && p[2] == 'r' && (length == 3 || (length == 4 && p[3] == 'p'));
  if (p[0] != 'b') return (p[0] == 'c' || p[0] == 't') && p[1] == 'b';
  if (length == 1 || p[1] == '.' || (p[1] == 'l' && length == 2)) return true;
  return length == 3 && (conditions[u8(p[1]) & 31] >> (p[2] & 31) & 1);
}

/// Their numbers are masks, or bits that depend on each other.
bool keeps_its_numbers(const char* p) {
  const auto starts = [&](char a, char b) { return p[0] == a && p[1] == b; };
  return starts('a', 'n') || starts('o', 'r') || starts('e', 'o') || starts('t', 's') || starts('b', 'f') ||
         (p[1] == 'b' && p[2] == 'f');
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Where the line that was read into `masks` ends before a comment; 64 if it does not. `end` becomes its newline.
unsigned line_size(LineMasks& masks, const char* p, const char* limit, const char*& end) {
  unsigned size = unsigned(std::countr_zero(masks.newline));
  end = p + size;
  for (u64 odd = masks.odd & ((masks.newline & -masks.newline) - 1); odd; odd &= odd - 1) {
    const unsigned at = unsigned(std::countr_zero(odd));
    if (p[at] != '/' || at == 0) return 64;  // it could be taken for a mark
    if (p[at + 1] != '/') continue;
    size = at;
    while (is_blank(p[size - 1])) --size;
    if (masks.newline == 0) end = static_cast<const char*>(std::memchr(p, '\n', std::size_t(limit - p)));
    return end ? size : 64;
  }
  return size;
}

/// The characters of the register's name at `begin` that are taken out: its letter and number. 0: it is none.
unsigned take_register(WordPieces& pieces, const char* p, unsigned begin, unsigned stop) {
  constexpr std::array<u8, 32> max = [] {
    std::array<u8, 32> m{};
    m['x' & 31] = m['w' & 31] = 30;
    for (const char c : {'b', 'h', 's', 'd', 'q', 'v', 'z'}) m[u8(c) & 31] = 31;
    m['p' & 31] = 15;
    return m;
  }();
  if (!is_digit(p[begin + 1])) return 0;
  unsigned number = unsigned(p[begin + 1] - '0'), length = 2;
  if (is_digit(p[begin + 2])) {
    if (number == 0) return 0;
    number = 10 * number + unsigned(p[begin + 2] - '0');
    length = 3;
  }
  if ((begin + length != stop && p[begin + length] != '.') || u8(p[begin] - 'a') > 25) return 0;
  if (number > max[u8(p[begin]) & 31]) return 0;
  pieces.registers[pieces.register_count++] = {u8(begin), u8(number)};
  return length;
}

/// Takes the number [begin, stop) out; false: it stays.
bool take_number(WordPieces& pieces, const char* p, unsigned begin, unsigned stop, unsigned size) {
  i32 v;
  if (!read_shape_number(p, begin, stop, size, v)) return false;
  unsigned start = begin;
  if (p[start - 1] == '-') {
    --start;
    v = -v;
  }
  const bool hash = p[start - 1] == '#';
  if (hash) --start;
  if (!is_blank(p[start - 1]) && p[start - 1] != ',') return false;
  pieces.numbers[pieces.number_count++] = {u8(start), v};
  return true;
}

}  // namespace

bool AArch64Target::word_shape(const LineText& line, WordShape& shape) const {
  const char* const p = line.p;
  WordPieces& pieces = shape.pieces;
  shape.name = {};
  pieces.register_count = pieces.number_count = 0;
  LineMasks masks;
  masks.read<'/'>(p, 0, 32);
  if (masks.newline == 0) masks.read<'/'>(p, 32, max_shape_line);
  const unsigned size = line_size(masks, p, line.limit, shape.end);
  if (size == 64) return false;
  const u64 names = masks.name & ((u64(1) << size) - 1);
  const unsigned mnemonic = unsigned(std::countr_one(names));
  if (!is_blank(p[mnemonic])) return false;
  pieces.line = p;
  const bool place = takes_place(p, mnemonic), keeps_numbers = keeps_its_numbers(p);

  ShapeKey text(p);
  u64 starts = names & ~(names << 1) & ~u64(1), stops = ~names & names << 1;
  for (stops &= stops - 1; starts; starts &= starts - 1, stops &= stops - 1) {
    const unsigned begin = unsigned(std::countr_zero(starts)), stop = unsigned(std::countr_zero(stops));
    const char before = p[begin - 1];
    unsigned length = stop - begin;
    u8 mark;
    if (is_digit(p[begin])) {
      if (keeps_numbers || pieces.number_count == WordPieces::max_numbers || !take_number(pieces, p, begin, stop, size))
        continue;
      mark = before == '-' ? mark_negative : mark_number;
    } else if (const unsigned n = before == ':' || pieces.register_count == WordPieces::max_registers
                                      ? 0
                                      : take_register(pieces, p, begin, stop)) {
      mark = u8(first_register_mark + (p[begin] - 'a'));
      length = n;
    } else {
      const char after = p[stop];
      if (before == ':' ? after == ':' : !place || (!is_blank(before) && before != ',')) continue;
      if (stop != size && after != ',' && after != ']' && after != '+' && after != '-' && !is_blank(after))
        return false;
      if (p[stop - 1] == '.' || !shape.name.empty() || (line.wide_names && after == '@')) return false;
      shape.name = {p + begin, length};
      mark = mark_name;
    }
    if (!text.take_out(begin, begin + length, mark)) return false;
  }
  return text.finish(size, shape.key);
}

}  // namespace xas::aarch64
