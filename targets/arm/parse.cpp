// SPDX-License-Identifier: Apache-2.0
// Operands as text to a signature of atoms.
//
//   operands := operand { ',' operand }
//   operand  := register [ '!' | '[' index ']' ] | '{' registers '}' [ '^' ] | '[' operands ']' [ '!' ]
//             | shift [ immediate | register ] | [ '+' | '-' ] register | name | [ '#' | '$' ] immediate | '='
//             expression
//   For GNU as a register may have a % in front of it.
//
// What is strange: nothing tells a name (a barrier's kind, a status register) from a symbol, so the table says at which
// operands of a mnemonic names are expected. A register that is an address's offset has a sign, so it gets an atom for
// that in front of it, written or not.
#include <fmt/format.h>

#include <bit>

#include "targets/advice.h"
#include "targets/arm/arm.h"
#include "targets/hash.h"

namespace xas::arm {

using namespace text;

namespace {

/// What follows a $ that belongs to a name ($MBB0_1), and does not mark an immediate.
bool is_name_start(char c) { return u8((c | 0x20) - 'a') <= 25 || c == '_' || c == '.'; }

constexpr struct {
  std::string_view text;
  Atom atom;
} shifts[] = {{"lsl", atom_lsl}, {"lsr", atom_lsr}, {"asr", atom_asr},
              {"ror", atom_ror}, {"rrx", atom_rrx}, {"asl", atom_lsl}, {"uxtw", atom_uxtw}};

}  // namespace

bool ArmTarget::read_any_register(const char*& p, Register& r, Emitter& out) {
  if (read_register(p, r)) return true;
  if (*p == '%' && options_.gnu) [[unlikely]] {  // GNU as lets a register have a prefix
    const char* q = p + 1;
    return is_name_char(*q) && read_any_register(q, r, out) && (p = q, true);
  }
  if (typed_.on_operands) [[unlikely]] {
    unsigned type;
    return read_typed_register(p, r, type, typed_.index, out);
  }
  if (!out.has_register_aliases) return false;
  const char* q = p;
  while (is_name_char(*q)) ++q;
  if (q == p) return false;
  const int number = find_alias({p, std::size_t(q - p)}, out);
  if (number < 0) return false;
  r = Register::unpack(number);
  p = q;
  return true;
}

/// A shift by name; `done` tells whether there was one.
bool ArmTarget::parse_shift(const char*& p, Operands& o, Emitter& out, bool& done) {
  done = false;
  for (const auto& s : shifts) {
    const char last = p[s.text.size() - 1];
    if (is_name_char(p[s.text.size()]) && u8(p[s.text.size()] - '0') > 9) continue;
    if ((last | 0x20) != s.text.back()) continue;
    if ((p[0] | 0x20) != s.text[0] || (p[1] | 0x20) != s.text[1] || (p[2] | 0x20) != s.text[2]) continue;
    const char* at = p;
    const char* q = skip_blanks(p + s.text.size());
    // A symbol of that name.
    if (s.atom != atom_rrx && (at_operands_end(q) || *q == ',' || *q == '+' || *q == '-')) return true;
    done = true;
    p = q;
    o.push(s.atom, s.atom & 7, at);
    if (s.atom == atom_rrx) return true;
    Register r;
    const char* where = p;
    if (read_any_register(p, r, out)) {
      push(o, r, where);
      return true;
    }
    return parse_immediate(p, o, out);
  }
  return true;
}

bool ArmTarget::parse_immediate(const char*& p, Operands& o, Emitter& out) {
  const char* at = p;
  // To GNU as it is the sign of an immediate before names too, which in LLVM may begin with it.
  const bool is_sign = *p == '$' && (options_.gnu || !is_name_start(p[1]));
  if (*p == '#' || is_sign) p = skip_blanks(p + 1);
  return parse_value(p, at, o, out);
}

bool ArmTarget::parse_value(const char*& p, const char* at, Operands& o, Emitter& out) {
  const char* start = p;
  i64 bits;
  if (read_decimal(p, bits)) {
    o.push(bits == 0 && *start == '-' ? atom_minus_zero : atom_imm, bits, at);
    return true;
  }
  if (read_hex_float(p, bits) || read_float(p, bits)) {
    o.push(bits == 0 ? atom_imm : atom_float, bits, at);  // #0.0 is also the 0 of `vceq.f32`
    return true;
  }
  if (p[0] == '0' && ((p[1] | 0x20) == 'f' || (p[1] | 0x20) == 'e')) {  // #0f1, #0e1e1, of FPA
    const char* q = p + 2;
    if (!read_float(q, bits) && read_decimal(q, bits)) bits = std::bit_cast<i64>(double(bits));
    if (q != p + 2) {
      p = q;
      o.push(atom_float, bits, at);
      return true;
    }
  }
  Value v;
  const auto both = [](u16 before, u16 behind) {
    if (behind != mod_sbrel) return u16(0);
    return before == mod_lower16 ? u16(mod_lower16_sbrel) : before == mod_upper16 ? u16(mod_upper16_sbrel) : u16(0);
  };
  if (!read_expression(*this, p, v, out, both)) return false;
  i64 constant;
  if (v.modifier == 0 && (v.is_constant() ? (constant = v.constant, true) : out.known_constant(v, constant))) {
    o.push(constant == 0 && *start == '-' ? atom_minus_zero : atom_imm, constant, at);
    return true;
  }
  return o.push_expression(v, at, out);
}

/// A number and the character that closes its brackets, as an atom of its own kind.
bool ArmTarget::parse_number_before(const char*& p, char close, Atom atom, const char* where, const char* expected,
                                    Operands& o, Emitter& out) {
  const unsigned first = o.count;
  if (!parse_immediate(p, o, out)) return false;
  p = skip_blanks(p);
  if (*p != close || !o.is_number(first)) {
    out.error(where, expected);
    return false;
  }
  ++p;
  o.set_atom(first, atom);
  return true;
}

/// What may follow a register: write-back, or an index.
bool ArmTarget::parse_after_register(const char*& p, const Register& r, Operands& o, Emitter& out) {
  if (typed_.index) [[unlikely]] {
    o.push(atom_index, i64(typed_.index) - 1, p);
    typed_.index = 0;
    return true;
  }
  const char* q = skip_blanks(p);
  if (*q == '!' && r.atom == atom_low) {
    p = q + 1;
    o.push(atom_write, 0, q);
    return true;
  }
  if (*q != '[' || (r.atom != atom_d && r.atom != atom_q && r.atom != atom_s)) return true;
  p = skip_blanks(q + 1);
  if (*p == ']' && r.atom == atom_d) {  // all elements: a list of one register without its braces
    ++p;
    o.value[o.count - 1] |= 1 << 8;
    o.set_atom(o.count - 1, atom_d_all);
    return true;
  }
  return parse_number_before(p, ']', atom_index, q, "an index is a number in brackets", o, out);
}

/// Behind the register of an address: `:64`, `@64`.
bool ArmTarget::parse_alignment(const char*& p, Operands& o, Emitter& out) {
  const char* at = p;
  p = skip_blanks(p + 1);
  const unsigned first = o.count;
  if (!parse_immediate(p, o, out)) return false;
  if (!o.is_number(first)) {
    out.error(at, "an alignment is a number of bits");
    return false;
  }
  o.set_atom(first, atom_align);
  return true;
}

/// [ '+' | '-' ] register [ ',' shift ]; nothing is pushed if there is no register.
bool ArmTarget::parse_offset_register(const char*& p, Operands& o, Emitter& out) {
  const char* at = p;
  const char* q = p;
  const bool minus = *q == '-';
  if (*q == '+' || minus) q = skip_blanks(q + 1);
  Register r;
  const char* where = q;
  if (!read_any_register(q, r, out)) return false;
  o.push(minus ? atom_minus : atom_plus, !minus, at);
  push(o, r, where);
  p = q;
  return true;
}

/// '[' register [ alignment ] { ',' offset } ']' [ '!' ]
bool ArmTarget::parse_brackets(const char*& p, Operands& o, Emitter& out) {
  const char* open = p;
  o.push(atom_open, 0, p);
  p = skip_blanks(p + 1);
  Register r;
  const char* where = p;
  if (!read_any_register(p, r, out)) {
    out.error(p, fmt::format("expected a register, found {}", found(p, at_operands_end(p))));
    return false;
  }
  push(o, r, where);
  for (;;) {
    p = skip_blanks(p);
    if (*p == ':' || *p == '@') {
      if (!parse_alignment(p, o, out)) return false;
      continue;
    }
    if (*p != ',') break;
    p = skip_blanks(p + 1);
    if (*p == ':') continue;
    if (parse_offset_register(p, o, out)) continue;
    bool done;
    if (!parse_shift(p, o, out, done)) return false;
    if (!done && !parse_immediate(p, o, out)) return false;
  }
  if (*p != ']') {
    return report_open_bracket(open, p, at_operands_end(p), out), false;
  }
  const char* at = p++;
  const char* q = skip_blanks(p);
  if (*q == '!') {
    p = q + 1;
    o.push(atom_close_write, 0, at);
    return true;
  }
  o.push(atom_close, 0, at);
  // What follows is added to the register afterwards.
  if (*q != ',') return true;
  q = skip_blanks(q + 1);
  const unsigned before = o.count;
  if (parse_offset_register(q, o, out)) {
    p = q;
    return true;
  }
  o.truncate(before);
  return true;
}

bool ArmTarget::parse_operand(const char*& p, bool name, Operands& o, Emitter& out) {
  const char c = *p;
  if (u8((c | 0x20) - 'a') <= 25 || c == '_' || c == '.' || u8(c) >= 128 || (c == '%' && options_.gnu)) {
    Register r;
    const char* at = p;
    if (read_any_register(p, r, out)) {
      if (name && r.atom == atom_coprocessor) {  // p0 of MVE
        o.push(atom_name, p - at, at);
        return true;
      }
      push(o, r, at);
      return parse_after_register(p, r, o, out);
    }
    if (name && c != '%') {
      while (is_name_char(*p)) ++p;
      o.push(atom_name, p - at, at);
      return true;
    }
    bool done;
    if (!parse_shift(p, o, out, done)) return false;
    return done || parse_immediate(p, o, out);
  }
  switch (c) {
    case '[': return parse_brackets(p, o, out);
    case '{': return parse_list(p, o, out);
    case '=': {
      const char* at = p;
      p = skip_blanks(p + 1);
      const unsigned first = o.count;
      if (!parse_immediate(p, o, out)) return false;
      return o.make_literal(first, at, out);
    }
    default: break;
  }
  if (at_operands_end(p) || c == ',' || c == ']' || c == '}') {
    out.error(p, fmt::format("expected an operand, found {}", found(p, at_operands_end(p))));
    return false;
  }
  out.bang_may_follow = o.count == 0;  // srsia #5!
  const bool is_value = parse_immediate(p, o, out);
  out.bang_may_follow = false;
  if (!is_value) return false;
  if (const char* const behind = skip_blanks(p); *behind == '!') {
    o.push(atom_write, 0, behind);
    p = behind + 1;
  }
  return true;
}

bool ArmTarget::parse_operands(const char*& p, u8 names, Operands& o, Emitter& out) {
  return atoms::read_operands(p, at_operands_end, [&](const char*& at, unsigned k) {
    return parse_operand(at, atoms::expects_name(names, k), o, out);
  });
}

}  // namespace xas::arm
