// SPDX-License-Identifier: Apache-2.0
// Operands as *atoms*, for the targets that match them so (targets/aarch64/row.h tells how). What A64 and ARM have in
// common: the signature with its values, how fields are made of values, look-up in the generated tables, and the words
// of errors. `Atom` and `Encoding` are the target's own enumerations; names that both have mean the same.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

#include "targets/atom_row.h"
#include "targets/text.h"

namespace xas::atoms {

/// The operands of one statement as the parser leaves them: a signature, and a value beside each atom.
template <class Atom>
struct Operands {
  u64 signature[2] = {0, 0};
  unsigned count = 0;
  unsigned expressions = 0;
  bool overflow = false;  ///< more atoms than any form has
  i64 value[max_atoms];   ///< a register's number, an immediate, an expression's index, a name's length
  const char* where[max_atoms];
  Value expr[3];

  void clear() {
    signature[0] = signature[1] = 0;
    count = expressions = 0;
    overflow = false;
  }
  void push(Atom atom, i64 v, const char* at) {
    if (count >= max_atoms) [[unlikely]] {
      overflow = true;
      return;
    }
    signature[count >> 3] |= u64(atom) << (8 * (count & 7));
    value[count] = v;
    where[count++] = at;
  }
  Atom atom(unsigned i) const { return Atom(signature[i >> 3] >> (8 * (i & 7)) & 0xFF); }
  void set_atom(unsigned i, Atom atom) {
    if (i >= count) return;  // there were too many
    const unsigned shift = 8 * (i & 7);
    signature[i >> 3] = (signature[i >> 3] & ~(u64(0xFF) << shift)) | u64(atom) << shift;
  }
  /// A number has been pushed as atom `i`.
  bool is_number(unsigned i) const { return i < count && atom(i) == Atom::atom_imm; }
  /// Takes back the last ones.
  void truncate(unsigned to) {
    for (unsigned i = to; i < max_atoms; ++i) signature[i >> 3] &= ~(u64(0xFF) << (8 * (i & 7)));
    count = to;
  }

  /// A value that is not known yet; false after an error.
  bool push_expression(const Value& v, const char* at, Emitter& out) {
    if (!keep(v, at, out)) return false;
    push(Atom::atom_expr, expressions - 1, at);
    return true;
  }
  /// A value that is said as such (TypedOperand): a number if it is one by now. False after an error.
  bool push_value(const Value& v, const char* at, Emitter& out) {
    i64 constant = v.constant;
    if (!v.is_constant() && (v.modifier != 0 || !out.known_constant(v, constant))) return push_expression(v, at, out);
    push(Atom::atom_imm, constant, at);
    return true;
  }
  /// Makes the number or expression that atom `i` is the contents of a literal that begins at `at`.
  bool make_literal(unsigned i, const char* at, Emitter& out) {
    if (i >= count) return true;
    if (atom(i) != Atom::atom_expr) {
      if (!keep({.constant = value[i]}, at, out)) return false;
      value[i] = expressions - 1;
    }
    where[i] = at;
    set_atom(i, Atom::atom_literal);
    return true;
  }

 private:
  bool keep(const Value& v, const char* at, Emitter& out) {
    if (expressions == std::size(expr)) {
      out.error(at, "too many expressions that are not known yet");
      return false;
    }
    expr[expressions++] = v;
    return true;
  }
};

/// Whether a name is expected at operand `k`: `names` has a bit for each operand, and the last one is that of all
/// behind it, too.
constexpr bool expects_name(u8 names, std::size_t k) { return names >> (k < 8 ? k : 7) & 1; }

/// operand { ',' operand }, or nothing before `at_end`; `read(p, k)` reads operand `k`. False after an error.
template <class AtEnd, class Read>
inline bool read_operands(const char*& p, const AtEnd& at_end, const Read& read) {
  p = text::skip_blanks(p);
  if (at_end(p)) return true;
  for (unsigned k = 0;; ++k) {
    if (!read(p, k)) return false;
    p = text::skip_blanks(p);
    if (*p != ',') return true;
    p = text::skip_blanks(p + 1);
  }
}

/// What is said of memory by values is what these machines have; `shift` is an example of a text that shifts an index.
/// False after an error.
inline bool check_memory(const TypedOperand& t, std::string_view shift, const char* where, Emitter& out) {
  if (t.reg < 0) return out.error(where, "an address needs a base register"), false;
  if (t.index >= 0 && t.has_value()) return out.error(where, "an address has an index or an offset, not both"), false;
  if (t.scale < 1 && t.segment < 0) return true;
  return out.error(where, fmt::format("an address has no scale and no segment; \"{}\" shifts its index", shift)), false;
}

/// The text of one operand ends at p, behind which there is a comma; else it is an error.
inline bool ends_typed_text(const char* p, Emitter& out) {
  p = text::skip_blanks(p);
  if (*p != ',') out.error(p, "this is more than one operand");
  return *p == ',';
}

/// A register as it is written.
template <class Atom>
struct Register {
  Atom atom = Atom::atom_none;
  u8 number = 0;

  /// As `.req` and Target::parse_register number registers.
  constexpr int packed() const { return atom << 8 | number; }
  static constexpr Register unpack(int packed) { return {Atom(packed >> 8), u8(packed & 0xFF)}; }
};

/// The register of `name .req register`, which begins at q: p is moved behind it. False after a message.
template <class Register, class Read, class AtEnd>
bool read_named_register(const char* q, const char*& p, std::string_view directive, bool gnu, Register& r,
                         const Read& read, const AtEnd& at_end, Emitter& out) {
  const char* const at = q;
  const bool known = read(q, r);
  if (gnu && !at_end(at) && (!known || !at_end(text::skip_blanks(q)))) {
    const std::string_view text = text::rest(p = at, at_end);
    out.warning(at, fmt::format("'{}' is no register; .req is ignored", text));
    return false;
  }
  p = q;
  if (!known) out.error(at, fmt::format("expected a register behind {}", directive));
  return known;
}

/// A number of .inst, from `lowest` to 2^32 - 1, which is known where it stands. False after an error.
inline bool read_instruction_number(const char*& p, i64 lowest, i64& number, Emitter& out) {
  p = text::skip_blanks(p);
  const char* const at = p;
  Value v;
  if (!out.expression(p, v)) return false;
  if (!out.known_constant(v, number)) return out.error(at, ".inst needs a number that is known here"), false;
  if (number >= lowest && number <= 0xFFFFFFFFll) return true;
  return out.error(at, fmt::format("{} does not fit in an instruction of 32 bits", number)), false;
}

/// A register that ends at q, if its name does: p is moved there.
template <class Atom>
bool end_register(const char* q, const char*& p, Register<Atom>& r, Atom atom, unsigned n) {
  if (text::is_name_char(*q)) return false;
  p = q;
  r = {atom, u8(n)};
  return true;
}

/// Puts the low bits of a value where the field's parts are; `fits` becomes false if a bit that has no place is set.
template <class Encoder>
inline u32 deposit(const Encoder& e, u64 v, bool& fits) {
  u32 word = 0;
  for (unsigned i = e.segments; i-- > 0;) {
    const Segment s = e.segment[i];
    const u32 part = u32(v & ((u64(1) << s.width) - 1));
    if (s.lsb == 255) [[unlikely]] {
      if (part) fits = false;
    } else {
      word |= part << s.lsb;
    }
    v >>= s.width;
  }
  return word;
}

/// (value - base) / scale, for values from low to high.
template <class Encoder>
inline bool put_linear(const Encoder& e, i64 v, u32& word) {
  if (v < e.low || v > e.high) return false;
  i64 field = v - e.base;
  if (e.scale != 1) {
    if (field % e.scale) return false;
    field /= e.scale;
  }
  if (e.segments == 1 && e.segment[0].lsb != 255) [[likely]] {
    word |= u32(u64(field) & ((u64(1) << e.segment[0].width) - 1)) << e.segment[0].lsb;
    return true;
  }
  bool fits = true;
  word |= deposit(e, u64(field), fits);
  return fits;
}

/// The entry of a mnemonic, or null, in an open-addressing table of 2^n entries; `hash` is the hash_name of `name`.
template <class Spelling, std::size_t size>
inline const Spelling* find_spelling(const Spelling (&table)[size], const char* names, std::string_view name,
                                     u64 hash) {
  const u32 number = mnemonic_number(hash);
  for (std::size_t slot = hash & (size - 1);; slot = (slot + 1) & (size - 1)) {
    const Spelling& s = table[slot];
    if (!s.length) return nullptr;
    if (s.number == number && std::string_view(names + s.name, s.length) == name) return &s;
  }
}

/// The same by its mnemonic_number.
template <class Spelling, std::size_t size>
inline const Spelling* find_numbered(const Spelling (&table)[size], u32 number) {
  static_assert(size <= 1u << mnemonic_slot_bits);
  for (std::size_t slot = number & (size - 1);; slot = (slot + 1) & (size - 1)) {
    const Spelling& s = table[slot];
    if (!s.length) return nullptr;
    if (s.number == number) return &s;
  }
}

/// A word of a set of names (sorted, from `first` on), in any case; null if it is none.
template <class NameEntry>
inline const NameEntry* find_name(const NameEntry* first, const NameEntry* last, std::string_view name) {
  char lower[32];
  if (name.size() > sizeof lower) return nullptr;
  for (std::size_t i = 0; i < name.size(); ++i) lower[i] = text::lower(name[i]);
  const std::string_view key(lower, name.size());
  const auto before = [](const NameEntry& e, std::string_view k) { return e.name < k; };
  const NameEntry* it = std::lower_bound(first, last, key, before);
  return it != last && it->name == key ? it : nullptr;
}

/// The first atom in which operands differ from what a row accepts; max_atoms if there is none.
template <class Row, class Operands>
unsigned first_difference(const Row& row, const Operands& o) {
  for (unsigned w = 0; w < 2; ++w)
    if (const u64 difference = (o.signature[w] ^ row.signature[w]) & row.mask[w])
      return 8 * w + unsigned(std::countr_zero(difference)) / 8;
  return max_atoms;
}

/// The numbers that a field holds as a linear function of them: value = ((number ^ flip) + add) >> shift. What
/// templates (targets/instruction_fields.h) can say of a field.
struct LinearField {
  i64 low, high;
  i32 flip = 0, add = 0;
  u8 shift = 0;
  u8 first_segment = 0;  ///< those before it hold the same for all of these numbers

  /// Of an encoder that put_linear writes. False if it is none of this form.
  template <class Encoder>
  bool set_linear(const Encoder& e) {
    const u32 scale = u32(e.scale < 0 ? -e.scale : e.scale);
    if (!std::has_single_bit(scale)) return false;
    *this = {.low = e.low, .high = e.high, .shift = u8(std::countr_zero(scale))};
    if (e.scale < 0)
      flip = -1, add = i32(e.base + 1);
    else
      add = i32(-e.base);
    return e.base >= -65536 && e.base <= 65536 && e.base % scale == 0;
  }
};

/// The range `low` to `high` does not have `number`; where that is one of its ends, the end is moved.
inline bool leave_out(i64 number, i32& low, i32& high) {
  if (number == low)
    ++low;
  else if (number == high)
    --high;
  return low <= high && (number < low || number > high);
}

/// What a field accepts, in words: a number.
template <class Encoder>
std::string accepted_numbers(const Encoder& e) {
  if (e.high - e.low == std::max<i64>(e.scale, 1)) return fmt::format("{} or {}", e.low, e.high);
  if (e.scale == 1 || e.scale == -1) return fmt::format("a number from {} to {}", e.low, e.high);
  return fmt::format("a multiple of {} from {} to {}", e.scale < 0 ? -e.scale : e.scale, e.low, e.high);
}

/// What a field accepts, in words: a name.
template <class NameEntry>
std::string accepted_names(const NameEntry* first, const NameEntry* last) {
  constexpr int max_shown = 12;
  std::string all;
  for (const NameEntry* n = first; n < last && n < first + max_shown; ++n)
    all += fmt::format("{}{}", n != first ? ", " : last - first > 1 ? "one of " : "", n->name);
  return all + (last - first > max_shown ? ", ..." : "");
}

}  // namespace xas::atoms
