// SPDX-License-Identifier: Apache-2.0
// How an operand's value becomes the bits of a field, where that is more than a number in steps: immediates that are
// packed, names, and expressions that are not known yet, which leave a fixup.
#include <bit>
#include <cmath>

#include "targets/aarch64/aarch64.h"
#include "targets/aarch64/tables.h"
#include "targets/aarch64/word.h"

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

/// The fixup of a distance; 0 if the field is none.
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
    case enc_adrp: return fixup_adrp;
    default: return 0;
  }
}

/// An 8-bit floating-point immediate; -1 if the value is none.
int fp8(const Operands& o, unsigned atom) {
  const i64 value = o.value[atom];
  if (o.atom(atom) != atom_imm) return float_immediate(u64(value));
  const char* text = o.where[atom];
  if (*text == '#') ++text;
  if (text[0] != '0' || (text[1] | 0x20) != 'x') return float_immediate(std::bit_cast<u64>(double(value)));
  // In hexadecimal: the eight bits themselves (LLVM), or those of a float or a double (GNU as).
  if (value >= 0 && value <= 255) return int(value);
  const bool is_double = u64(value) >> 32;
  return float_immediate(is_double ? u64(value) : std::bit_cast<u64>(double(std::bit_cast<float>(u32(value)))));
}

/// NzCv: the flags with capital letters, from n to v; -1 if it is something else.
int flags(std::string_view text) {
  constexpr std::string_view letters = "nzcv";
  if (text.size() != letters.size()) return -1;
  int bits = 0;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const bool capital = text[i] == letters[i] - 'a' + 'A';
    if (!capital && text[i] != letters[i]) return -1;
    bits = bits << 1 | int(capital);
  }
  return bits;
}

/// 0 to 255, or multiples of 256: sh:imm8. A negative number stands for the one 2^bits above it, if `bits` is 8 to 32;
/// -65536 is 0, shifted.
int sve_shifted(i64 v, unsigned bits) {
  if (v == -65536 && bits == 16) return 256;
  if (v < 0 && bits && bits < 64) v += i64(1) << bits;
  if (v >= 0 && v <= 255) return int(v);
  return v < 0 || v > 65280 || v & 255 ? -1 : int(256 | v >> 8);
}

/// -128 to 127, or multiples of 256: sh:imm8. Elements of less than 64 bits may be given with either sign.
int sve_signed(i64 v, unsigned bits) {
  if (bits < 64) {
    if (v >= i64(1) << bits || v <= -(i64(1) << bits)) return -1;
    v = i64(u64(v) << (64 - bits)) >> (64 - bits);
  }
  if (v >= -128 && v <= 127) return int(v & 0xFF);
  if (bits == 8 || v < -32768 || v > 32512 || v & 255) return -1;
  return 256 | int(u64(v) >> 8 & 0xFF);
}

/// The bits of a number; -1 if it has none. `before` is the value in front of it.
i64 packed(const Encoder& e, i64 value, i64 before) {
  const unsigned bits = unsigned(e.low);
  switch (e.encoding) {
    case enc_logical: case enc_mov: return logical_immediate(u64(value), bits);
    case enc_logical_not: return logical_immediate(~u64(value), bits);
    case enc_movz: case enc_movn: {
      u64 v = u64(value), field;
      if (!to_bits(v, bits)) return -1;
      if (e.encoding == enc_movn) v = bits == 64 ? ~v : ~v & 0xFFFFFFFFu;
      return is_wide(v, bits, field) ? i64(field) : -1;
    }
    case enc_bytes: return byte_mask(u64(value));
    case enc_shift_left:
      return value < 0 || value >= e.low ? -1 : ((e.low - value) % e.low) << 6 | (e.low - 1 - value);
    case enc_field_left: return value < 0 || value >= e.low ? -1 : (e.low - value) % e.low;
    case enc_width: return value < 1 || before + value > e.low ? -1 : value - 1;
    case enc_width_end: return value < 1 || before + value > e.low ? -1 : before + value - 1;
    case enc_sve_shifted: return sve_shifted(value, bits);
    case enc_sve_signed: return sve_signed(value, bits);
    case enc_add12: return value < 0 || value > 4095 ? -1 : value;
    case enc_offset: return value < 0 || value % e.scale || value / e.scale > 4095 ? -1 : value / e.scale;
    case enc_offset_unscaled: return value < -256 || value > 255 ? -1 : value & 0x1FF;
    case enc_mov16: return value < 0 || value > 65535 ? -1 : value;
    default: return -1;
  }
}

}  // namespace

bool names_address(Encoding e) { return pcrel_kind(e) != 0 && e != enc_back16; }

/// The field's value is an expression: true if the form can wait for it.
bool AArch64Target::encode_later(const Encoder& e, const Field& f, const Operands& o, Encoded& to) const {
  const i64 expression = o.value[f.atom];
  const u16 modifier = o.expr[expression].modifier;
  u16 kind = 0;
  switch (e.encoding) {
    case enc_logical: case enc_logical_not: case enc_mov: {
      constexpr unsigned lsb = 10;  // where `apply` puts it; SVE's are elsewhere
      if (modifier || e.segment[e.segments - 1].lsb != lsb) return false;
      const bool wide = e.low == 64;
      if (e.encoding == enc_mov) kind = wide ? fixup_mov64 : fixup_mov32;
      else kind = wide ? fixup_logical64 : fixup_logical32;
      break;
    }
    case enc_add12:
      kind = fixup_add12;
      if (modifier) {
        if (to.word >> 29 & 3) return false;  // operators are for add alone
        const std::string_view op = modifier_name(modifier);
        if (op == "tprel_hi12" || (op == "dtprel_hi12" && !options_.gnu)) to.word |= 1u << 22;
      }
      break;
    case enc_offset: kind = u16(fixup_offset1 + std::countr_zero(unsigned(e.scale))); break;
    case enc_offset_unscaled: kind = fixup_unscaled; break;
    case enc_mov16: case enc_mov16_op: {
      // An operator says which part it takes, and so the shift.
      const int group = movw_group(modifier);
      if (group < 0 && e.encoding == enc_mov16_op) return false;
      if (group >= 0) {
        if (o.count > unsigned(f.atom) + 1 || (group > 1 && !(to.word >> 31))) return false;
        to.word |= u32(group) << 21;
        if (!options_.gnu && (to.word >> 29 & 3) == 2 && is_signed_tls(modifier)) to.word &= ~(1u << 30);
      }
      kind = (to.word >> 29 & 3) == 3 ? fixup_movk : fixup_movz;
      break;
    }
    case enc_bytes:
      if (modifier || !options_.gnu) return false;
      kind = u16(fixup_field + (&e - a64_encoders));
      break;
    case enc_tls_call: kind = fixup_tls_call; break;
    default:
      kind = pcrel_kind(e.encoding);
      if (!kind) return false;
      if (kind == fixup_adrp && is_coff()) kind = fixup_adrp_addend;
  }
  to.wait(kind, expression, f.atom);
  return true;
}

bool AArch64Target::encode_special(const Encoder& e, const Field& f, const Operands& o, Encoded& to) const {
  const i64 value = o.value[f.atom];
  i64 bits = -1;
  switch (e.encoding) {
    case enc_constant: return value == e.low;
    case enc_float_constant: {
      const double wanted = std::bit_cast<double>(e.low);
      const double given = o.atom(f.atom) == atom_imm ? double(value) : std::bit_cast<double>(value);
      return given == wanted && std::signbit(given) == std::signbit(wanted) && is_exact(o.where[f.atom]);
    }
    case enc_same: return value == o.value[e.low];
    case enc_pair_next: return value == o.value[e.low] + (o.value[e.low] != 31);
    case enc_literal_pool:
      to.pool = true;
      to.pool_bits = u8(e.low);
      to.pool_atom = f.atom;
      return true;
    case enc_name: {
      const NameEntry* n = find_name(unsigned(e.low), {o.where[f.atom], std::size_t(value)});
      const bool of_state = e.low == names_pstate1 || e.low == names_pstate_uao;
      const bool asks = gated_ && (!of_state || checks_system_registers_);
      if (n && (!asks || available(n->features))) bits = n->value;
      break;
    }
    case enc_system: {
      u32 number;
      if (system_register({o.where[f.atom], std::size_t(value)}, f.atom == 0, o.count > 2, number)) bits = number;
      break;
    }
    case enc_fp8: bits = fp8(o, f.atom); break;
    case enc_flags: bits = flags({o.where[f.atom], std::size_t(value)}); break;
    default:
      if (o.atom(f.atom) == atom_expr) return encode_later(e, f, o, to);
      if (const u16 kind = pcrel_kind(e.encoding)) {
        // GNU as: a number is an address as any other. Behind # it is a distance, which only LLVM knows.
        if (kind == fixup_adrp && options_.gnu && !is_coff() && *o.where[f.atom] != '#') {
          to.wait(kind, page_of_number, f.atom);
          return true;
        }
        if (kind == fixup_adrp && value & 0xFFF) return false;
        u8 bytes[4];
        put_word(bytes, to.word);
        if (!apply(kind, 0, value, bytes).empty()) return false;
        to.word = get_word(bytes);
        return true;
      }
      if (options_.gnu && e.encoding == enc_sve_signed && e.low < 64 && value == -(i64(1) << e.low)) {
        bits = e.low == 8 ? 0 : 0x100;  // it is 0; where there is a shift, GNU as writes that too
        break;
      }
      bits = packed(e, value, f.atom ? o.value[f.atom - 1] : 0);
  }
  bool fits = bits >= 0;
  if (fits) to.word |= deposit(e, u64(bits), fits);
  return fits;
}

}  // namespace xas::aarch64
