// SPDX-License-Identifier: Apache-2.0
// Shapes of lines of ARM (targets/line_shape.h): taken out are the general registers but sp and pc, d0 to d15, q0 to
// q7, and all decimal numbers behind '#'.
//
// In Thumb and of vectors, the mark of a register tells which eight of its kind it is one of, and which register before
// it is the same: so all lines of a shape have the same signature, and registers that rows want to be equal are equal
// in all of them or in none. The general registers of A32 are all alike. Registers that stay are never the same as one
// that is taken out. The mark of a number tells its class: short instructions of Thumb take those of some.
//
// The lists of push and pop stay, but shortened: a bit for each register.
#include <array>
#include <bit>
#include <cstring>
#include <string_view>

#include "objwriter/endian.h"
#include "targets/arm/arm.h"
#include "targets/arm/number_class.h"
#include "targets/hash.h"
#include "targets/line_masks.h"
#include "targets/text.h"

namespace xas::arm {

namespace {

constexpr u8 mark_number = 0x80, mark_negative = 0x90, mark_name = 0xA0, mark_list = 0xE0;

using text::is_digit;

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// The instructions whose numbers depend on each other: bfc, bfi, sbfx, ubfx.
bool keeps_its_numbers(const char* p) { return (p[0] == 'b' && p[1] == 'f') || (p[1] == 'b' && p[2] == 'f'); }

/// A register that is taken out, by its name as an integer.
struct NamedRegister {
  u32 name;
  u8 number;
  u8 group;  ///< which eight registers of which kind
};
constexpr u8 first_vector_group = 2;  ///< the general registers have two

/// Where it is in the table of its kind: no two have the same place.
constexpr u32 place_of(u32 name) { return (name * 0x78EA7983u) >> 26; }

constexpr auto named_registers = [] {
  std::array<NamedRegister, 64> table = {};
  const auto add = [&](std::string_view name, unsigned number, unsigned group) {
    const u32 word = u32(name_word(name.data(), name.size()));
    NamedRegister& r = table[place_of(word)];
    if (r.name) throw "two registers have one place";
    r = {word, u8(number), u8(group + number / 8)};
  };
  const auto add_numbered = [&](char kind, unsigned count, unsigned group) {
    for (unsigned i = 0; i < count; ++i) {
      const char name[] = {kind, char('0' + (i < 10 ? i : i / 10)), char('0' + i % 10)};
      if (kind != 'r' || i != reg_sp) add({name, i < 10 ? 2u : 3u}, i, group);
    }
  };
  add_numbered('r', 15, 0);
  add_numbered('d', 16, first_vector_group);
  add_numbered('q', 8, first_vector_group + 2);
  add("sb", 9, 0), add("sl", 10, 0), add("fp", 11, 0), add("ip", 12, 0), add("lr", 14, 0);
  return table;
}();

/// The register whose name is the word of `size` characters at p; null: it is none of them.
const NamedRegister* named_register(const char* p, unsigned size) {
  if (size - 2 > 1) return nullptr;
  ul32 characters;
  std::memcpy(&characters, p, 4);
  const u32 name = characters & (~u32(0) >> (32 - 8 * size));
  const NamedRegister& r = named_registers[place_of(name)];
  return r.name == name ? &r : nullptr;
}

/// The number of any general register by its name; -1 if it is none.
int listed_register(const char* p, unsigned size) {
  if (size == 2 && p[0] == 's' && p[1] == 'p') return reg_sp;
  if (size == 2 && p[0] == 'p' && p[1] == 'c') return reg_pc;
  const NamedRegister* const r = named_register(p, size);
  return r && r->group < first_vector_group ? r->number : -1;
}

/// Reads the registers of a list, which stand in ascending order, p behind the brace. Null: it is something else.
const char* read_list(const char* p, u32& list) {
  list = 0;
  const auto next = [&]() -> int {
    const char* const name = p = text::skip_blanks(p);
    while (text::is_name_char(*p)) ++p;
    const int number = listed_register(name, unsigned(p - name));
    p = text::skip_blanks(p);
    return number >= 0 && list >> number == 0 ? number : -1;
  };
  for (;; ++p) {
    const int first = next();
    int last = first;
    if (first >= 0 && *p == '-') ++p, last = next();
    if (first < 0 || last < first) return nullptr;
    list |= (u32(2) << last) - (u32(1) << first);
    if (*p == '}') return p + 1;
    if (*p != ',') return nullptr;
  }
}

enum class Word : u8 { taken, stays, refused };

/// Takes registers out, and tells them apart.
class Registers {
 public:
  Registers(WordPieces& pieces, bool thumb) : pieces_(pieces), thumb_(thumb) {}

  /// The word [begin, stop), if it is a register that is taken out; `mark` is its mark then.
  Word take(const char* p, unsigned begin, unsigned stop, u8& mark) {
    const NamedRegister* const r = named_register(p + begin, stop - begin);
    if (!r) return Word::stays;
    const unsigned count = pieces_.register_count;
    if (count == WordPieces::max_registers) return Word::refused;
    ++pieces_.register_count;
    if (!thumb_ && r->group < first_vector_group) {
      mark = first_register_mark + same_as_none;
      pieces_.registers[count] = {u8(begin), r->number};
      return Word::taken;
    }
    const u8 number = r->number & 7, id = u8(r->group << 3 | number);
    const unsigned same = seen_ >> id & 1 ? first_[id] : same_as_none;
    if (same == same_as_none) {
      seen_ |= u64(1) << id;
      first_[id] = u8(count);
    }
    mark = u8(first_register_mark + r->group * (same_as_none + 1) + same);
    pieces_.registers[count] = {u8(begin), number};
    return Word::taken;
  }

 private:
  static constexpr unsigned same_as_none = WordPieces::max_registers;

  WordPieces& pieces_;
  const bool thumb_;
  u64 seen_ = 0;  ///< a bit for each group and number
  u8 first_[64];  ///< of those, which register it was
};

/// Takes the number [begin, stop) out; false: it stays.
bool take_number(WordPieces& pieces, const char* p, unsigned begin, unsigned stop, unsigned size) {
  i32 v;
  if (!read_shape_number(p, begin, stop, size, v)) return false;
  unsigned start = begin - 1;
  if (p[start] == '-') {
    if (v == 0) return false;
    --start;
    v = -v;
  }
  if (p[start] != '#' || (!is_blank(p[start - 1]) && p[start - 1] != ',')) return false;
  pieces.numbers[pieces.number_count++] = {u8(start), v};
  return true;
}

/// Whether the word at `begin`, behind `mnemonic` characters of the line's first, is a name that means a place: behind
/// an operator, where a branch goes to, or a local label, which is no register whatever it is called.
bool is_place(const char* p, unsigned mnemonic, unsigned begin) {
  const char before = p[begin - 1];
  if (before == ':') return true;
  if (!is_blank(before) && before != ',') return false;
  if (p[begin] == '.' && p[begin + 1] == 'L') return true;
  return p[0] == 'b' && (mnemonic == 1 || (p[1] == 'l' && mnemonic == 2));
}

/// `size` becomes that of the line without its comment, which begins at `comment`. False: that may be no comment.
/// Compilers write "@ zero_extendqisi2" and the like.
bool leave_comment(const char* p, unsigned comment, unsigned& size) {
  if (std::memchr(p, '"', comment) || std::memchr(p, '\'', comment)) return false;
  for (size = comment; size && is_blank(p[size - 1]);) --size;
  return true;
}

}  // namespace

/// Of push and pop: the line of `size` characters at p, with a brace at `open`.
static bool list_shape(const char* p, unsigned open, unsigned size, WordShape& shape) {
  u32 list;
  if (p[0] != 'p' || p[open] != '{' || !is_blank(p[open - 1])) return false;
  const char* const end = read_list(p + open + 1, list);
  if (!end) return false;
  const unsigned behind = unsigned(end - p);
  shape.end = p + size;
  shape.pieces.line = p;
  ShapeKey text(p);
  if (!text.take_out(open, behind, mark_list)) return false;
  for (unsigned bit = 0; bit <= reg_pc; bit += 7)  // as bytes above 127
    if (!text.take_out(behind, behind, u8(0x80 | (list >> bit & 0x7F)))) return false;
  return text.finish(size, shape.key);
}

bool ArmTarget::word_shape(const LineText& line, WordShape& shape) const {
  if (options_.big_endian || switches_.no_negative || typed_.any) return false;
  const char* const p = line.p;
  WordPieces& pieces = shape.pieces;
  shape.name = {};
  pieces.register_count = pieces.number_count = 0;
  LineMasks masks;
  masks.read<'{', '@'>(p, 0, 32);
  if (masks.newline == 0) masks.read<'{', '@'>(p, 32, max_shape_line);
  unsigned size = unsigned(std::countr_zero(masks.newline));
  if (size == 64) return false;
  if (const u64 odd = masks.odd & ((u64(1) << size) - 1)) [[unlikely]] {
    // What is above 127 could be taken for a mark.
    return std::has_single_bit(odd) && !masks.comment && list_shape(p, unsigned(std::countr_zero(odd)), size, shape);
  }
  shape.end = p + size;
  if (masks.comment) [[unlikely]] {
    const unsigned comment = unsigned(std::countr_zero(masks.comment));
    if (comment < size && !leave_comment(p, comment, size)) return false;
  }
  const u64 names = masks.name & ((u64(1) << size) - 1);
  const unsigned mnemonic = unsigned(std::countr_one(names));
  if (!is_blank(p[mnemonic])) return false;
  pieces.line = p;
  const bool keeps_numbers = keeps_its_numbers(p);

  Registers registers(pieces, thumb_);
  ShapeKey text(p);
  u64 starts = names & ~(names << 1) & ~u64(1), stops = ~names & names << 1;
  for (stops &= stops - 1; starts; starts &= starts - 1, stops &= stops - 1) {
    const unsigned begin = unsigned(std::countr_zero(starts)), stop = unsigned(std::countr_zero(stops));
    u8 mark;
    if (is_digit(p[begin])) {
      if (keeps_numbers || pieces.number_count == WordPieces::max_numbers || !take_number(pieces, p, begin, stop, size))
        continue;
      const auto& number = pieces.numbers[pieces.number_count - 1];
      mark = u8((number.value < 0 ? mark_negative : mark_number) + class_of(number.value, thumb_));
      // The '#' and the sign are in the mark.
      if (!text.take_out(number.at, stop, mark)) return false;
      continue;
    }
    if (is_place(p, mnemonic, begin)) {
      if (p[stop] == ':') continue;  // :lower16:
      const bool has_number = (p[stop] == '+' || p[stop] == '-') && is_digit(p[stop + 1]);
      if (stop != size && !has_number && p[stop] != '(') return false;
      if (p[stop - 1] == '.' || !shape.name.empty()) return false;
      shape.name = {p + begin, stop - begin};
      mark = mark_name;
    } else {
      const Word word = registers.take(p, begin, stop, mark);
      if (word == Word::refused) return false;
      if (word == Word::stays) continue;
    }
    if (!text.take_out(begin, stop, mark)) return false;
  }
  return text.finish(size, shape.key);
}

}  // namespace xas::arm
