// From a signature and its values to an instruction: the first row of the mnemonic that has that signature and whose
// fields can hold the values.
#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "targets/aarch64/aarch64.h"
#include "targets/aarch64/tables.h"

namespace xas::aarch64 {

using namespace atoms;

namespace {

bool is_wide(u64 value, unsigned bits, u64& field) {
  for (unsigned hw = 0; hw < bits / 16; ++hw)
    if ((value & ~(u64(0xFFFF) << (16 * hw))) == 0) return field = u64(hw) << 16 | value >> (16 * hw), true;
  return false;
}

/// Brings a number that a 32-bit operation is given to 32 bits; false if it has more.
bool to_bits(u64& value, unsigned bits) {
  if (bits == 64) return true;
  const u64 high = value >> 32;
  if (high != 0 && high != 0xFFFFFFFFu) return false;
  value &= 0xFFFFFFFFu;
  return true;
}

/// The number at p has so few digits that it can't have been rounded.
bool is_exact(const char* p) {
  unsigned digits = 0;
  if (*p == '#') ++p;
  for (; u8(*p - '0') <= 9 || *p == '.' || *p == '-' || *p == '+'; ++p)
    digits += u8(*p - '0') <= 9 && (digits || *p != '0');
  return digits <= 17 || *p == 'x';
}

u16 pcrel_kind(Encoding e) {
  switch (e) {
    case enc_branch26: return fixup_branch26;
    case enc_call26: return fixup_call26;
    case enc_branch19: return fixup_branch19;
    case enc_branch14: return fixup_branch14;
    case enc_branch9: return fixup_branch9;
    case enc_back16: return fixup_back16;
    case enc_literal19: return fixup_literal19;
    case enc_adr: return fixup_adr;
    default: return fixup_adrp;
  }
}

}  // namespace

/// The field's value is not known: true if it may become known later.
bool AArch64Target::encode_special(const Encoder& e, const Field& f, const Operands& o, Encoded& to) const {
  const i64 value = o.value[f.atom];
  const bool later = o.atom(f.atom) == atom_expr;
  bool fits = true;
  switch (e.encoding) {
    case enc_constant: return value == e.low;
    case enc_float_constant: {
      double wanted, given;
      std::memcpy(&wanted, &e.low, 8);
      if (o.atom(f.atom) == atom_imm) given = double(value);
      else std::memcpy(&given, &value, 8);
      return given == wanted && std::signbit(given) == std::signbit(wanted) && is_exact(o.where[f.atom]);
    }
    case enc_same: return value == o.value[e.low];
    case enc_name: {
      const NameEntry* n = find_name(unsigned(e.low), {o.where[f.atom], std::size_t(value)});
      if (!n || (gated_ && !available(n->features))) return false;
      to.word |= deposit(e, n->value, fits);
      return fits;
    }
    case enc_logical:
    case enc_logical_not:
    case enc_mov: {
      if (later) {
        constexpr unsigned lsb = 10;  // where `apply` puts it; SVE's are elsewhere
        if (o.expr[value].modifier || e.segment[e.segments - 1].lsb != lsb) return false;
        const bool wide = e.low == 64;
        to.wait(e.encoding == enc_mov ? (wide ? fixup_mov64 : fixup_mov32)
                : wide                ? fixup_logical64
                                      : fixup_logical32,
                value, f.atom);
        return true;
      }
      const int bits = logical_immediate(e.encoding == enc_logical_not ? ~u64(value) : u64(value), unsigned(e.low));
      if (bits < 0) return false;
      to.word |= deposit(e, u64(bits), fits);
      return true;
    }
    case enc_fp8: {
      u64 bits = u64(value);
      const char* text = o.where[f.atom];
      if (*text == '#') ++text;
      if (o.atom(f.atom) == atom_imm && text[0] == '0' && (text[1] | 0x20) == 'x') {
        // In hexadecimal: the eight bits themselves (LLVM), or those of a float or a double (GNU as).
        if (value < 0 || value > 255) {
          const bool is_double = u64(value) >> 32;
          const int imm =
              float_immediate(is_double ? u64(value) : std::bit_cast<u64>(double(std::bit_cast<float>(u32(value)))));
          if (imm < 0) return false;
          to.word |= deposit(e, u64(imm), fits);
          return true;
        }
        to.word |= deposit(e, u64(value), fits);
        return true;
      }
      if (o.atom(f.atom) == atom_imm) {
        const double d = double(value);
        std::memcpy(&bits, &d, 8);
      }
      const int imm = float_immediate(bits);
      if (imm < 0) return false;
      to.word |= deposit(e, u64(imm), fits);
      return true;
    }
    case enc_movz:
    case enc_movn: {
      u64 v = u64(value), field;
      if (!to_bits(v, unsigned(e.low))) return false;
      if (e.encoding == enc_movn) v = e.low == 64 ? ~v : ~v & 0xFFFFFFFFu;
      if (!is_wide(v, unsigned(e.low), field)) return false;
      to.word |= deposit(e, field, fits);
      return true;
    }
    case enc_bytes: {
      u64 mask = 0;
      for (unsigned i = 0; i < 8; ++i) {
        const u64 byte = u64(value) >> (8 * i) & 0xFF;
        if (byte != 0 && byte != 0xFF) return false;
        mask |= (byte & 1) << i;
      }
      to.word |= deposit(e, mask, fits);
      return true;
    }
    case enc_shift_left:
      if (value < 0 || value >= e.low) return false;
      to.word |= deposit(e, u64((e.low - value) % e.low) << 6 | u64(e.low - 1 - value), fits);
      return true;
    case enc_field_left:
      if (value < 0 || value >= e.low) return false;
      to.word |= deposit(e, u64((e.low - value) % e.low), fits);
      return true;
    case enc_width:
    case enc_width_end: {
      const i64 lsb = o.value[f.atom - 1];
      if (value < 1 || lsb + value > e.low) return false;
      to.word |= deposit(e, u64(e.encoding == enc_width ? value - 1 : lsb + value - 1), fits);
      return true;
    }
    case enc_sve_shifted: {
      // Unsigned 0 to 255, or multiples of 256 up to 65280.
      if (value >= 0 && value <= 255) {
        to.word |= deposit(e, u64(value), fits);
        return true;
      }
      if (value < 0 || value > 65280 || value & 255) return false;
      to.word |= deposit(e, 256 | u64(value) >> 8, fits);
      return true;
    }
    case enc_sve_signed: {
      // Elements of less than 64 bits may be given with either sign.
      i64 v = value;
      if (e.low < 64) {
        if (v >= i64(1) << e.low || v <= -(i64(1) << e.low)) return false;
        v = i64(u64(v) << (64 - e.low)) >> (64 - e.low);
      }
      if (v >= -128 && v <= 127) {
        to.word |= deposit(e, u64(v) & 0xFF, fits);
        return true;
      }
      if (e.low == 8 || v < -32768 || v > 32512 || v & 255) return false;
      to.word |= deposit(e, 256 | (u64(v) >> 8 & 0xFF), fits);
      return true;
    }
    case enc_system: {
      u32 bits;
      if (!system_register({o.where[f.atom], std::size_t(value)}, f.atom == 0, bits)) return false;
      to.word |= deposit(e, bits, fits);
      return true;
    }
    case enc_add12:
      if (later) {
        if (const u16 modifier = o.expr[value].modifier) {
          if (to.word >> 29 & 3) return false;  // operators are for add alone
          const std::string_view op = modifier_name(modifier);
          if (op == "tprel_hi12" || (op == "dtprel_hi12" && !options_.gnu)) to.word |= 1u << 22;
        }
        to.wait(fixup_add12, value, f.atom);
        return true;
      }
      if (value < 0 || value > 4095) return false;
      to.word |= deposit(e, u64(value), fits);
      return true;
    case enc_offset:
      if (later) {
        to.wait(u16(fixup_offset1 + std::countr_zero(unsigned(e.scale))), value, f.atom);
        return true;
      }
      if (value < 0 || value % e.scale || value / e.scale > 4095) return false;
      to.word |= deposit(e, u64(value / e.scale), fits);
      return true;
    case enc_offset_unscaled:
      if (later) {
        to.wait(fixup_unscaled, value, f.atom);
        return true;
      }
      if (value < -256 || value > 255) return false;
      to.word |= deposit(e, u64(value), fits);
      return true;
    case enc_mov16_op:
      if (!later || movw_group(o.expr[value].modifier) < 0) return false;
      [[fallthrough]];
    case enc_mov16:
      if (later) {
        // An operator says which part it takes, and so the shift.
        if (const int group = movw_group(o.expr[value].modifier); group >= 0) {
          if (o.count > unsigned(f.atom) + 1 || (group > 1 && !(to.word >> 31))) return false;
          to.word |= u32(group) << 21;
          if (!options_.gnu && (to.word >> 29 & 3) == 2 && is_signed_tls(o.expr[value].modifier))
            to.word &= ~(1u << 30);
        }
        to.wait((to.word >> 29 & 3) == 3 ? fixup_movk : fixup_movz, value, f.atom);
        return true;
      }
      if (value < 0 || value > 65535) return false;
      to.word |= deposit(e, u64(value), fits);
      return true;
    case enc_branch26: case enc_call26: case enc_branch19: case enc_branch14: case enc_branch9: case enc_back16:
    case enc_literal19: case enc_adr: case enc_adrp: {
      const u16 kind = pcrel_kind(e.encoding);
      if (later) {
        to.wait(kind == fixup_adrp && is_coff() ? u16(fixup_adrp_addend) : kind, value, f.atom);
        return true;
      }
      if (kind == fixup_adrp && value & 0xFFF) return false;
      u8 bytes[4] = {u8(to.word), u8(to.word >> 8), u8(to.word >> 16), u8(to.word >> 24)};
      if (!apply(kind, 0, value, bytes).empty()) return false;
      to.word = u32(bytes[0]) | u32(bytes[1]) << 8 | u32(bytes[2]) << 16 | u32(bytes[3]) << 24;
      return true;
    }
    case enc_literal_pool:
      to.pool = true;
      to.pool_bits = u8(e.low);
      to.pool_atom = f.atom;
      return true;
    case enc_pair_next: return value == o.value[e.low] + (o.value[e.low] != 31);
    case enc_tls_call:
      if (!later) return false;
      to.wait(fixup_tls_call, value, f.atom);
      return true;
    default: return false;
  }
}

bool AArch64Target::encode_field(const Encoder& e, const Field& f, const Operands& o, Encoded& to) const {
  if (e.encoding > enc_linear) {
    if (e.encoding != enc_imm_expr) return encode_special(e, f, o, to);
    if (o.atom(f.atom) == atom_expr) {
      const u16 encoder = u16(&e - a64_encoders);
      to.wait(u16(fixup_field + encoder), o.value[f.atom], f.atom);
      return true;
    }
  }
  return put_linear(e, o.value[f.atom], to.word);
}

bool AArch64Target::encode(const Row& row, const Operands& o, Encoded& e, unsigned& failed) const {
  e.word = row.opcode;
  const Field* f = a64_fields + row.fields;
  for (unsigned i = 0; i < row.field_count; ++i) {
    if (encode_field(a64_encoders[f[i].encoder], f[i], o, e)) continue;
    failed = i;
    return false;
  }
  return true;
}

void AArch64Target::emit(const Encoded& e, const Operands& o, Emitter& out) {
  u8* to = out.out;
  to[0] = u8(e.word);
  to[1] = u8(e.word >> 8);
  to[2] = u8(e.word >> 16);
  to[3] = u8(e.word >> 24);
  for (unsigned i = 0; i < e.pending; ++i) {
    const char* where = o.where[e.fields[i].atom];
    Value value = o.expr[e.fields[i].expr];
    // Clang prints the second half of a label's address without :lo12: where a catch block of C++ goes on.
    const bool label = is_coff() && e.fields[i].kind == fixup_add12 && where[0] == '.' && where[1] == 'L';
    if (label && value.modifier == 0) value.modifier = modifier("lo12");
    out.fixup({.kind = e.fields[i].kind, .at = 0}, value, where);
  }
  out.advance(4);
}

void AArch64Target::match(const Spelling& s, const Operands& o, const char* where, Emitter& out) {
  const Row* const end = a64_rows + s.first + s.count;
  const u8 other_profile = options_.gnu ? row_llvm : row_gnu;
  for (const Row* row = a64_rows + s.first; row != end; ++row) {
    if (((o.signature[0] ^ row->signature[0]) & row->mask[0]) | ((o.signature[1] ^ row->signature[1]) & row->mask[1]))
      continue;
    if (row->flags & other_profile) continue;
    if (gated_ && !available(row->features)) continue;
    Encoded e;
    unsigned failed;
    if (!encode(*row, o, e, failed)) continue;
    if (((row->flags & row_distinct) | row->prefix | follows_.active) && !allowed(*row, o, e.word, where, out))
        [[unlikely]]
      return;
    if (e.pool) [[unlikely]] {
      literal(e, o, out);
    } else {
      emit(e, o, out);
    }
    return;
  }
  explain(s, o, where, out);
}

void AArch64Target::match_suffixed(const Spelling& s, const Operands& o, Atom suffix, const char* where, Emitter& out) {
  u64 bare[2] = {0, 0}, wanted[2] = {0, 0}, first[2] = {0, 0};
  bool any = false;
  for (unsigned i = 0; i < o.count; ++i) {
    if (o.atom(i) != atom_v) continue;
    const u64 shift = 8 * (i & 7);
    bare[i >> 3] |= u64(0xFF) << shift;
    if (any) continue;
    any = true;
    first[i >> 3] = u64(0xFF) << shift;
    wanted[i >> 3] = u64(suffix) << shift;
  }
  for (const Row* row = a64_rows + s.first; row != a64_rows + s.first + s.count; ++row) {
    u64 difference = 0;
    for (int w = 0; w < 2; ++w) {
      difference |= (o.signature[w] ^ row->signature[w]) & row->mask[w] & ~bare[w];
      difference |= (row->signature[w] ^ wanted[w]) & first[w];
      // The others must be vector registers too.
      for (unsigned i = 0; i < 8; ++i) {
        const u8 atom = u8(row->signature[w] >> (8 * i));
        if ((bare[w] >> (8 * i) & 0xFF) && (atom <= atom_v || atom >= atom_z)) difference = 1;
      }
    }
    if (difference || (gated_ && !available(row->features))) continue;
    Encoded e;
    unsigned failed;
    if (encode(*row, o, e, failed)) return emit(e, o, out);
  }
  explain(s, o, where, out);
}

bool AArch64Target::assemble(const Spelling& s, const char* where, const char*& p, Emitter& out) {
  Operands o;
  if (!parse_operands(p, s.names, o, out)) return true;
  if (o.overflow) {
    out.error(where, "too many operands");
  } else {
    match(s, o, where, out);
  }
  return true;
}

bool AArch64Target::instruction(Name mnemonic, const char*& p, Emitter& out) {
  repeats_ = true;
  if (*p == '.' && alias_statement(mnemonic, p, out)) [[unlikely]] return true;
  const Spelling* s = find_spelling(mnemonic.text(), mnemonic.hash);
  if (!s) [[unlikely]] return slow_mnemonic(mnemonic, p, out);
  return assemble(*s, mnemonic.p, p, out);
}

/// Mnemonics in upper case; with the arrangement behind them (add.8b v0, v1, v2); `name .req register`.
bool AArch64Target::slow_mnemonic(Name mnemonic, const char*& p, Emitter& out) {
  if (alias_statement(mnemonic, p, out)) return true;
  char lower[32];
  if (mnemonic.size == 0 || mnemonic.size > sizeof lower) return false;
  for (u32 i = 0; i < mnemonic.size; ++i) lower[i] = text::lower(mnemonic.p[i]);
  const std::string_view name(lower, mnemonic.size);
  const Spelling* s = find_spelling(name, hash_name(name));
  if (s) {
    return assemble(*s, mnemonic.p, p, out);
  }
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos || dot == 0) return false;
  s = find_spelling(name.substr(0, dot), hash_name(name.substr(0, dot)));
  if (!s) return false;
  return assemble_suffixed(*s, name.substr(dot), mnemonic.p, p, out);
}

namespace {

std::string_view atom_text(Atom a) {
  if (a >= atom_v && a < atom_z) return "a vector register";
  if (a >= atom_z && a < atom_p) return "a scalable vector register";
  if (a >= atom_p && a < atom_pn) return "a predicate register";
  if (a >= atom_pn && a < atom_za) return "a predicate-as-counter register";
  if (a >= atom_za && a <= atom_zt0) return "a matrix register";
  switch (a) {
    case atom_w: case atom_wzr: case atom_wsp: return "a 32-bit register";
    case atom_x: case atom_xzr: case atom_sp: return "a 64-bit register";
    case atom_imm: return "a number";
    case atom_float: return "a floating-point number";
    case atom_expr: return "an expression that is not known yet";
    case atom_b: case atom_h: case atom_s: case atom_d: case atom_q: return "a floating-point register";
    case atom_name: return "a name";
    case atom_open: return "an address";
    default: return "this";
  }
}

std::string accepted(const Encoder& e) {
  switch (e.encoding) {
    case enc_linear: case enc_imm_expr: return accepted_numbers(e);
    case enc_constant: return fmt::format("{}", e.low);
    case enc_float_constant: {
      double d;
      std::memcpy(&d, &e.low, 8);
      return fmt::format("{:.1f}", d);
    }
    case enc_same: return "the same register as before";
    case enc_name: return accepted_names(names_begin(unsigned(e.low)), names_end(unsigned(e.low)));
    case enc_logical:
    case enc_logical_not:
    case enc_mov: return "a bitmask immediate (a rotated run of ones, repeated)";
    case enc_fp8: return "a floating-point number with 4 bits of fraction and an exponent from -3 to 4";
    case enc_movz: case enc_movn: return "a number of 16 bits, shifted by a multiple of 16";
    case enc_bytes: return "a number whose bytes are 0x00 or 0xff";
    case enc_shift_left: case enc_field_left: return fmt::format("a number from 0 to {}", e.low - 1);
    case enc_width: case enc_width_end: return fmt::format("a width from 1 to {} less the lowest bit", e.low);
    case enc_add12: return "a number from 0 to 4095";
    case enc_offset: return fmt::format("a multiple of {} from 0 to {}", e.scale, e.scale * 4095);
    case enc_offset_unscaled: return "a number from -256 to 255";
    case enc_mov16: return "a number from 0 to 65535";
    case enc_sve_shifted: return "a number from 0 to 255, or one of those times 256";
    case enc_sve_signed: return "a number from -128 to 127, or one of those times 256";
    case enc_system: return "a system register";
    case enc_pair_next: return "the register after the one before it";
    default: return "another operand";
  }
}

}  // namespace

/// The entry of the name that stands in the field's place, if it is one of the field's; allowed or not.
const NameEntry* AArch64Target::name_of(const Field& f, const Operands& o) const {
  const Encoder& e = a64_encoders[f.encoder];
  if (o.atom(f.atom) != atom_name) return nullptr;
  const std::string_view word(o.where[f.atom], std::size_t(o.value[f.atom]));
  if (e.encoding == enc_name) return find_name(unsigned(e.low), word);
  return e.encoding == enc_system ? system_name(word, f.atom == 0) : nullptr;
}

/// Why no row fits: the one that came closest decides what is said.
void AArch64Target::explain(const Spelling& s, const Operands& o, const char* where, Emitter& out) const {
  const std::string_view name(a64_names + s.name, s.length);
  const u8 other_profile = options_.gnu ? row_llvm : row_gnu;
  unsigned best = 0;
  const Row* closest = nullptr;
  const Field* field = nullptr;
  for (const Row* row = a64_rows + s.first; row != a64_rows + s.first + s.count; ++row) {
    if (row->flags & other_profile) continue;
    if (const unsigned at = first_difference(*row, o); at != max_atoms) {
      if (!closest || at > best) closest = row, best = at, field = nullptr;
      continue;
    }
    Encoded e;
    unsigned failed;
    if (encode(*row, o, e, failed)) {
      out.error(where, fmt::format("`{}` with these operands requires {}", name, missing(row->features)));
      return;
    }
    const Field* f = a64_fields + row->fields + failed;
    if (const NameEntry* n = gated_ ? name_of(*f, o) : nullptr)  // known, so it may not be used
      return out.error(o.where[f->atom], fmt::format("`{}` requires {}", n->name, missing(n->features)));
    if (!field || f->atom >= field->atom) closest = row, field = f, best = max_atoms;
  }
  if (field) {
    out.error(o.where[field->atom],
              fmt::format("invalid operand for `{}`; expected {}", name, accepted(a64_encoders[field->encoder])));
    return;
  }
  refuse(name, o, best, where, atom_text, out);
}

}  // namespace xas::aarch64
