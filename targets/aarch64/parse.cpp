// SPDX-License-Identifier: Apache-2.0
// Operands as text to a signature of atoms.
//
//   operands  := operand { ',' operand }
//   operand   := register [ '[' ... ']' ] | '{' registers '}' [ '[' index ']' ] | '[' operands ']' [ '!' ]
//              | shift [ immediate ] | name | [ '#' ] immediate | '=' expression
//   immediate := [ ':' operator ':' ] expression | floating-point number
//
// What is strange: nothing tells a name (a barrier's kind, a system register) from a symbol, so the table says at which
// operands of a mnemonic names are expected. And the `#` of immediates may always be left out.
#include <fmt/format.h>

#include <span>

#include "targets/aarch64/aarch64.h"
#include "targets/advice.h"
#include "targets/text.h"

namespace xas::aarch64 {

using namespace text;

namespace {

struct Word {
  std::string_view text;
  Atom atom;
};

constexpr Word words[] = {
    {"lsl", atom_lsl}, {"lsr", atom_lsr}, {"asr", atom_asr}, {"ror", atom_ror}, {"uxtb", atom_uxtb},
    {"uxth", atom_uxth}, {"uxtw", atom_uxtw}, {"uxtx", atom_uxtx}, {"sxtb", atom_sxtb}, {"sxth", atom_sxth},
    {"sxtw", atom_sxtw}, {"sxtx", atom_sxtx}, {"msl", atom_msl}, {"mul", atom_mul}, {"vgx2", atom_vgx2},
    {"vgx4", atom_vgx4},
};

/// The name at p in lower case, as an integer; 0 if it is longer than eight characters.
u64 packed_name(const char* p, unsigned& length) {
  u64 word = 0;
  unsigned n = 0;
  for (; is_name_char(p[n]); ++n) {
    const char c = p[n];
    if (n < 8) word |= u64(u8(text::lower(c))) << (8 * n);
  }
  length = n;
  return n <= 8 ? word : 0;
}

}  // namespace

/// x31 and w31 are the zero register to LLVM, and symbols to GNU as.
bool AArch64Target::read_own_register(const char*& p, Register& r) const {
  const char* const start = p;
  if (!read_register(p, r)) return false;
  if ((r.atom != atom_xzr && r.atom != atom_wzr) || start[1] != '3' || !options_.gnu) return true;
  p = start;
  return false;
}

bool AArch64Target::read_any_register(const char*& p, Register& r, Emitter& out) {
  if (read_own_register(p, r)) return true;
  if (!out.has_register_aliases) return false;
  // name .req register; a suffix may follow
  const char* q = p;
  while (is_name_char(*q) && *q != '.') ++q;
  if (q == p) return false;
  const int number = find_alias({p, std::size_t(q - p)}, out);
  if (number < 0) return false;
  r = Register::unpack(number);
  const bool tile = r.atom == atom_tile || r.atom == atom_row || r.atom == atom_col;
  if ((*q == '.' || *q == '/') &&
      (tile || r.atom == atom_v || r.atom == atom_z || r.atom == atom_p || r.atom == atom_pn)) {
    // Read as if the register itself stood there.
    char text[24];
    const char* const letters = tile               ? "za"
                                : r.atom == atom_v ? "v"
                                : r.atom == atom_z ? "z"
                                : r.atom == atom_p ? "p"
                                                   : "pn";
    const char* const slice = r.atom == atom_row ? "h" : r.atom == atom_col ? "v" : "";
    unsigned n = unsigned(std::snprintf(text, sizeof text, "%s%u%s", letters, r.number, slice));
    const unsigned head = n;
    for (const char* s = q; n < sizeof text - 1 && (is_name_char(*s) || *s == '/'); ++s) text[n++] = *s;
    text[n] = '\0';
    const char* t = text;
    if (!read_register(t, r)) return false;
    q += unsigned(t - text) - head;
  }
  p = q;
  return true;
}

/// Shifts, extensions and other words; `done` tells whether there was one.
bool AArch64Target::parse_word(const char*& p, Operands& o, Emitter& out, bool& done) {
  unsigned length;
  const u64 word = packed_name(p, length);
  done = false;
  if (word == 0) return true;
  for (const Word& w : words) {
    if (word != name_word(w.text.data(), w.text.size())) continue;
    done = true;
    const char* at = p;
    p = skip_blanks(p + length);
    if (w.atom == atom_mul && (p[0] | 0x20) == 'v' && (p[1] | 0x20) == 'l' && !is_name_char(p[2])) {
      p += 2;
      o.push(atom_mul_vl, 0, at);
      return true;
    }
    o.push(w.atom, w.atom & 7, at);
    if (*p == '#' || u8(*p - '0') <= 9 || *p == '(' || *p == '-') return parse_immediate(p, o, out);
    // An amount may be an expression of names.
    if (!at_end(p) && *p != ',' && *p != ']' && w.atom < atom_vgx2) return parse_immediate(p, o, out);
    return true;
  }
  return true;
}

/// The upper half of a number of more than 64 and at most 128 bits, and the lower one; p moves only over such.
static std::optional<u64> read_wide_number(const char*& p, u64& low) {
  const char* q = p;
  unsigned base = 10;
  if (*q == '0') {
    base = (q[1] | 0x20) == 'x' ? 16 : (q[1] | 0x20) == 'b' ? 2 : 8;
    q += base == 8 ? 1 : 2;
  }
  u64 high = 0;
  low = 0;
  for (;; ++q) {
    const unsigned letter = u8(*q | 0x20);
    const unsigned digit = is_digit(*q) ? u8(*q - '0') : letter - 'a' < 6 ? letter - 'a' + 10 : base;
    if (digit >= base) break;
    // Two halves of 64 bits, times base, plus the digit.
    const u64 lower = (low & 0xFFFFFFFF) * base + digit, upper = (low >> 32) * base + (lower >> 32);
    const u64 carry = upper >> 32;
    if (high > (~u64(0) - carry) / base) return {};
    low = upper << 32 | (lower & 0xFFFFFFFF);
    high = high * base + carry;
  }
  const char* const behind = skip_blanks(q);
  if (high == 0 || !(*behind == ',' || at_end(behind))) return {};
  p = q;
  return high;
}

bool AArch64Target::parse_immediate(const char*& p, Operands& o, Emitter& out) {
  const char* at = p;
  if (*p == '#') p = skip_blanks(p + 1);
  const char* start = p;
  i64 bits;
  if (read_decimal(p, bits)) {
    o.push(atom_imm, bits, at);
    return true;
  }
  if (read_hex_float(p, bits) || read_float(p, bits)) {
    o.push(atom_float, bits, at);
    return true;
  }
  Value v;
  if (!read_expression(*this, p, v, out)) return false;
  i64 constant;
  if (v.modifier == 0 && (v.is_constant() ? (constant = v.constant, true) : out.known_constant(v, constant))) {
    p = skip_blanks(p);
    if (*p != ':') {
      o.push(atom_imm, constant, at);
      return true;
    }
    // first:last
    p = skip_blanks(p + 1);
    if (*p == '#') ++p;
    Value last;
    if (!out.expression(p, last)) return false;
    const i64 n = last.is_constant() ? last.constant - constant + 1 : 0;
    if (n != 2 && n != 4) {
      out.error(start, "a range must have two or four numbers");
      return false;
    }
    o.push(n == 2 ? atom_range2 : atom_range4, constant, at);
    return true;
  }
  return o.push_expression(v, at, out);
}

/// What may follow a register: an index, or the slice of a predicate or of ZA.
bool AArch64Target::parse_after_register(const char*& p, const Register& r, Operands& o, Emitter& out) {
  const char* q = skip_blanks(p);
  if (r.atom < atom_v) {
    if (*q != '!') return true;
    p = q + 1;
    o.push(atom_write, 0, q);
    return true;
  }
  if (*q != '[') return true;
  const char* open = q;
  q = skip_blanks(q + 1);
  Register inner;
  const char* probe = q;
  if (read_any_register(probe, inner, out)) {
    p = open;
    return parse_brackets(p, o, out, false);
  }
  const unsigned first = o.count;
  if (!parse_immediate(q, o, out)) return false;
  q = skip_blanks(q);
  if (*q == ']') {
    p = q + 1;
    if (o.is_number(first)) o.set_atom(first, atom_index);
    if (r.atom >= atom_v_8b && r.atom <= atom_v_2d) o.set_atom(first - 1, element_of(r.atom));
    return true;
  }
  // zt0[1, mul vl]: as brackets
  o.truncate(first);
  p = open;
  return parse_brackets(p, o, out, false);
}

/// '[' operand { ',' operand } ']' [ '!' ]
bool AArch64Target::parse_brackets(const char*& p, Operands& o, Emitter& out, bool write_back) {
  const char* open = p;
  o.push(atom_open, 0, p);
  p = skip_blanks(p + 1);
  for (;;) {
    if (!parse_operand(p, false, o, out)) return false;
    p = skip_blanks(p);
    if (*p == ',') {
      p = skip_blanks(p + 1);
      continue;
    }
    if (*p == ']') break;
    return report_open_bracket(open, p, at_end(p), out), false;
  }
  const char* at = p++;
  if (write_back) {
    const char* q = skip_blanks(p);
    if (*q == '!') {
      p = q + 1;
      o.push(atom_close_write, 0, at);
      return true;
    }
  }
  o.push(atom_close, 0, at);
  return true;
}

/// The atom of a list of registers. 0, and what is wrong, if they are no list.
static u8 atom_of_list(std::span<const Register> r, const char*& problem) {
  const unsigned count = unsigned(r.size());
  const unsigned modulus = r[0].atom >= atom_p && r[0].atom <= atom_pn_m ? 16 : 32;
  const unsigned stride = count > 1 ? (r[1].number - r[0].number + modulus) % modulus : 1;
  for (unsigned i = 1; i < count; ++i) {
    if (r[i].atom != r[0].atom) return problem = "the registers of a list must be of one kind", u8(0);
    if ((r[i].number - r[i - 1].number + modulus) % modulus != stride)
      return problem = "the registers of a list must be consecutive", u8(0);
  }
  if (count == 2 && stride == 8) return atom_list2_stride8;
  if (count == 4 && stride == 4) return atom_list4_stride4;
  if (stride != 1) return problem = "the registers of a list must be consecutive", u8(0);
  return u8(atom_list1 + count - 1);
}

/// What has been read of a list in braces.
struct AArch64Target::RegisterList {
  Register registers[4];
  unsigned count = 0;
  bool in_range = false;  ///< '-' stands before the next register
  bool is_tiles = false;  ///< zero {za0.s, za1.s}
  Register tile;          ///< the last one
  u32 doublewords = 0;    ///< a bit for each tile of doublewords that is in the list
};

/// A tile, or `za` as a whole.
bool AArch64Target::add_tile_to_list(const Register& one, const char* at, RegisterList& list, Emitter& out) const {
  constexpr unsigned largest_tile = 5;  // .q
  const bool whole = one.atom == atom_za;
  const unsigned size = whole ? 0 : one.atom >= atom_tile ? one.atom - atom_tile : largest_tile;
  if (!whole && (size == 0 || size >= largest_tile))
    return out.error(at, "a list has `za` or its tiles, which are .b, .h, .s or .d"), false;
  if (list.is_tiles && one.atom != list.tile.atom && !options_.gnu)
    return out.error(at, "the tiles of a list are of one size"), false;
  constexpr u8 of_size[] = {0xFF, 0xFF, 0x55, 0x11, 0x01};
  list.doublewords |= u32(of_size[size]) << one.number & 0xFF;
  list.is_tiles = true;
  list.tile = one;
  return true;
}

/// A register, or the last one of a range, which is counted from the list's first register.
bool AArch64Target::add_to_list(const Register& one, const char* at, RegisterList& list, Emitter& out) const {
  constexpr const char* too_many = "a list has at most four registers";
  if (!list.in_range) {
    if (list.count == std::size(list.registers)) return out.error(at, too_many), false;
    list.registers[list.count++] = one;
    return true;
  }
  const Register& first = list.registers[0];
  const unsigned modulus = one.atom >= atom_p && one.atom <= atom_pn_m ? 16 : 32;
  const unsigned n = (one.number - first.number + modulus) % modulus + 1;
  if (one.atom != first.atom || n > std::size(list.registers) || n < 2)
    return out.error(at, fmt::format("{} of one kind", too_many)), false;
  for (unsigned i = 1; i < n; ++i) list.registers[i] = {one.atom, u8((first.number + i) % modulus)};
  list.count = n;
  list.in_range = false;
  return true;
}

/// What stands between the braces, up to the second one.
bool AArch64Target::parse_list_items(const char*& p, RegisterList& list, Operands& o, Emitter& out) {
  for (;;) {
    Register one;
    const char* at = p;
    if (!read_any_register(p, one, out)) {
      out.error(p, fmt::format("expected a register in the list, found {}", found(p, at_end(p))));
      return false;
    }
    if ((one.atom >= atom_tile && one.atom < atom_row) || (one.atom >= atom_za && one.atom < atom_tile)) {
      if (!add_tile_to_list(one, at, list, out)) return false;
    } else if (one.atom >= atom_row && one.atom <= atom_zt0) {
      o.push(one.atom, one.number, at);
      if (!parse_after_register(p, one, o, out)) return false;
    } else if (!add_to_list(one, at, list, out)) {
      return false;
    }
    p = skip_blanks(p);
    if (*p == '}') return true;
    // {z0.d - z1.d - z2.d}, from the first
    const bool may_be_range = list.count == 1 || (options_.gnu && list.count && !list.is_tiles);
    if (*p == '-' && may_be_range) {
      list.in_range = true;
    } else if (*p != ',') {
      out.error(p, fmt::format("expected ',' or '}}' in the list, found {}", found(p, at_end(p))));
      return false;
    }
    p = skip_blanks(p + 1);
  }
}

/// '{' register { ',' register } '}' or '{' register '-' register '}', perhaps with an index.
bool AArch64Target::parse_list(const char*& p, Operands& o, Emitter& out) {
  const char* open = p;
  p = skip_blanks(p + 1);
  if (*p == '}') {
    ++p;
    o.push(atom_empty_list, 0, open);
    return true;
  }
  RegisterList list;
  const unsigned list_atom = o.count;
  o.push(atom_list1, 0, open);
  if (!parse_list_items(p, list, o, out)) return false;
  ++p;
  if (list.is_tiles) {
    if (list.count) return out.error(open, "a list has registers of one kind"), false;
    o.push(atom_tile_d, list.doublewords, open);
    return true;
  }
  if (list.count == 0) return true;
  const Register& first = list.registers[0];
  const char* problem = nullptr;
  const u8 atom = atom_of_list({list.registers, list.count}, problem);
  if (problem) return out.error(open, problem), false;
  if (*skip_blanks(p) == '[' && first.atom >= atom_v_8b && first.atom <= atom_v_2d) {
    out.error(open, "an element of each register in a list is .b, .h, .s or .d, with an index");
    return false;
  }
  o.set_atom(list_atom, Atom(atom));
  o.push(first.atom, first.number, open);
  return parse_after_register(p, first, o, out);
}

bool AArch64Target::parse_operand(const char*& p, bool name, Operands& o, Emitter& out) {
  const char c = *p;
  if (u8((c | 0x20) - 'a') <= 25 || c == '_' || c == '.' || c == '$' || u8(c) >= 128) {
    Register r;
    const char* at = p;
    if (name ? read_own_register(p, r) : read_any_register(p, r, out)) {
      o.push(r.atom, r.number, at);
      return parse_after_register(p, r, o, out);
    }
    const bool multiplier =
        (at[0] | 0x20) == 'm' && (at[1] | 0x20) == 'u' && (at[2] | 0x20) == 'l' && !is_name_char(at[3]);
    if (name && !multiplier) {
      while (is_name_char(*p)) ++p;
      o.push(atom_name, p - at, at);
      return true;
    }
    bool done;
    if (!parse_word(p, o, out, done)) return false;
    return done || parse_immediate(p, o, out);
  }
  switch (c) {
    case '[': return parse_brackets(p, o, out, true);
    case '{': return parse_list(p, o, out);
    case '=': {
      const char* at = p;
      p = skip_blanks(p + 1);
      const unsigned first = o.count;
      u64 low;
      literal_high_ = read_wide_number(p, low);
      if (literal_high_)
        o.push(atom_imm, i64(low), at);
      else if (!parse_immediate(p, o, out))
        return false;
      if (first < o.count && o.atom(first) == atom_expr && o.expr[o.value[first]].modifier) {
        out.error(at, "an address in a literal pool has no relocation operator");
        return false;
      }
      return o.make_literal(first, at, out);
    }
    default: break;
  }
  if (at_end(p) || c == ',' || c == ']' || c == '}') {
    out.error(p, fmt::format("expected an operand, found {}", found(p, at_end(p))));
    return false;
  }
  return parse_immediate(p, o, out);
}

bool AArch64Target::parse_operands(const char*& p, u8 names, Operands& o, Emitter& out) {
  return atoms::read_operands(p, at_end, [&](const char*& at, unsigned k) {
    return parse_operand(at, atoms::expects_name(names, k), o, out);
  });
}

}  // namespace xas::aarch64
