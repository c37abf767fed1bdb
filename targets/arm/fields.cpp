// SPDX-License-Identifier: Apache-2.0
// How values become bits.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "targets/arm/arm.h"
#include "targets/arm/tables.h"

namespace xas::arm {

using namespace atoms;

namespace {

unsigned width_of(const Encoder& e) {
  unsigned width = 0;
  for (unsigned i = 0; i < e.segments; ++i) width += e.segment[i].width;
  return width;
}

/// Whether an element of `size` bits is one of `narrow` bits again and again.
bool repeats(u64 value, unsigned narrow, unsigned size) {
  const u64 mask = (u64(1) << narrow) - 1;
  for (unsigned at = narrow; at < size; at += narrow)
    if ((value >> at & mask) != (value & mask)) return false;
  return true;
}

/// Whether a number is one of an element of `size` bits. Of wider ones the upper half of 64 bits is not looked at; LLVM
/// takes -1 for all ones of 16.
bool fits_element(i64 value, unsigned size) {
  return size > 16 || u64(value) >> size == 0 || (size == 16 && value == -1);
}

/// The opcode's bits of a32's `sub`.
constexpr u32 a32_subtract = 0x00400000;

/// A number of 32 bits: signed, unsigned, or the complement of an unsigned one.
bool is_word(i64 v) { return v >= -0x100000000ll && v <= 0xFFFFFFFFll; }

/// Which of FPA's constants a number is; -1 if it is none.
int fpa_immediate(i64 value, bool is_float) {
  constexpr double constants[] = {0, 1, 2, 3, 4, 5, 0.5, 10};
  const double number = is_float ? std::bit_cast<double>(value) : double(value);
  for (int i = 0; i < 8; ++i)
    if (constants[i] == number) return i;
  return -1;
}

u16 distance_kind(const Encoder& e, bool a32) {
  switch (e.encoding) {
    case enc_a32_branch: return fixup_a32_branch;
    case enc_a32_call: return fixup_a32_call;
    case enc_a32_blx: return fixup_a32_blx;
    case enc_a32_load: return fixup_a32_load;
    case enc_a32_load8: return fixup_a32_load8;
    case enc_a32_adr: return fixup_a32_adr;
    case enc_a32_adrl: return fixup_a32_adrl;
    case enc_vfp_load:
      if (e.scale == 2) return a32 ? fixup_a32_vload16 : fixup_t32_vload16;
      return a32 ? fixup_a32_vload : fixup_t32_vload;
    case enc_t16_b8: return fixup_t16_b8;
    case enc_t16_b11: return fixup_t16_b11;
    case enc_t16_cbz: return fixup_t16_cbz;
    case enc_t16_load: return fixup_t16_load;
    case enc_t16_adr: return fixup_t16_adr;
    case enc_t32_b20: return fixup_t32_b20;
    case enc_t32_b24: return fixup_t32_b24;
    case enc_t32_bl: return fixup_t32_bl;
    case enc_t32_blx: return fixup_t32_blx;
    case enc_t32_load: return fixup_t32_load;
    case enc_t32_bf:
      if (e.low <= 1) return e.low == 0 ? fixup_t32_bf : fixup_t32_bf_else;
      return e.low == 12 ? fixup_t32_bf12 : e.low == 16 ? fixup_t32_bf16 : fixup_t32_bf18;
    case enc_t32_wls: return fixup_t32_wls;
    case enc_t32_le: return fixup_t32_le;
    case enc_t32_load8: return fixup_t32_load8;
    default: return fixup_t32_adr;
  }
}

/// Whether the immediate is the negative or the complement of what is written, and the instruction another one.
bool is_negated(const Encoder& e) {
  switch (e.encoding) {
    case enc_a32_minus: case enc_t32_minus: case enc_a32_not: case enc_t32_not: return true;
    default: return e.scale < 0 && e.high <= 0;
  }
}

/// The field of a part of an address (:pc_g0:symbol), which `add` and `movs` take and what stands behind a register in
/// brackets; 0 if it can't be one.
u16 group_kind(const Row& row, const Encoder& e, bool in_brackets) {
  constexpr u32 operation = 0x01E00000, add = 0x00800000, flags = 0x00100000, movs = 0x01B00000;
  if (e.encoding == enc_a32_imm) {
    const bool takes = (row.opcode & operation) == add || (row.opcode & (operation | flags)) == movs;
    return takes ? fixup_a32_group_alu : 0;
  }
  if (e.encoding != enc_signed || !in_brackets) return 0;
  if (e.scale == 4) return fixup_a32_group_vload;
  return e.segments == 3 ? fixup_a32_group_load8 : fixup_a32_group_load;
}

}  // namespace

bool ArmTarget::encode_distance(const Row& row, const Encoder& e, const Field& f, const Operands& o,
                                Encoded& to) const {
  const u16 kind = distance_kind(e, row.set == set_a32);
  if (o.atom(f.atom) == atom_expr) {
    const u16 modifier = o.expr[o.value[f.atom]].modifier;
    if (modifier >= mod_pc_g0_nc && modifier <= mod_sb_g2) return false;
    to.wait(kind, o.value[f.atom], f.atom);
    return true;
  }
  if (fixup_info(kind).to_address) {
    to.wait(kind, Encoded::none, f.atom);
    return true;
  }
  if (kind == fixup_a32_adr && o.atom(f.atom) == atom_minus_zero) {
    to.word |= a32_subtract;
    return true;
  }
  const i64 distance = o.value[f.atom];
  // Of labels these are taken.
  if ((takes_odd_distance(kind) && distance & 1) || (kind == fixup_t16_cbz && !options_.gnu && distance < 0))
    return false;
  u8 bytes[4];
  store(bytes, kind, to.word);
  if (!apply(kind, 0, distance, bytes).empty()) return false;
  to.word = load(bytes, kind);
  return true;
}

/// Whether GNU as has `sub` alone for an addition to pc, as `adr` does: of a number that is negative as a word.
static bool takes_only_sub(u32 word, i64 v) {
  constexpr u32 add_to_pc = 0x028F0000, operation_and_base = 0x0FFF0000;
  return (word & operation_and_base) == add_to_pc && i32(u32(v)) < 0;
}

/// Those whose expressions may be resolved after layout: the field of a known value.
bool ArmTarget::apply_encoder(const Encoder& e, i64 v, u32& word) const {
  bool fits = true;
  int bits = -1;
  switch (e.encoding) {
    case enc_a32_imm:
      if (options_.gnu && takes_only_sub(word, v)) return false;
      bits = is_word(v) ? a32_immediate(u32(v)) : -1;
      break;
    case enc_a32_minus: bits = is_word(v) ? a32_immediate(0 - u32(v)) : -1; break;
    case enc_a32_not: bits = is_word(v) ? a32_immediate(~u32(v)) : -1; break;
    case enc_t32_imm: bits = is_word(v) ? t32_immediate(u32(v)) : -1; break;
    case enc_t32_minus: bits = is_word(v) ? t32_immediate(0 - u32(v)) : -1; break;
    case enc_t32_not: bits = is_word(v) ? t32_immediate(~u32(v)) : -1; break;
    case enc_signed: {
      const bool minus = v < 0;
      if (minus) v = -v;
      if (v > e.high || v % e.scale) return false;
      bits = int(v / e.scale) | int(!minus) << (width_of(e) - 1);
      break;
    }
    default: return put_linear(e, v, word);
  }
  if (bits < 0) return false;
  word |= deposit(e, u64(bits), fits);
  return fits;
}

/// An immediate that is an expression: a field of a value, or of a part of an address.
bool ArmTarget::encode_later(const Row& row, const Encoder& e, const Field& f, const Operands& o, Encoded& to) const {
  if (e.encoding == enc_signed && e.high == 0) return false;  // the sign of #-0 alone
  const i64 expr = o.value[f.atom];
  u16 kind = u16(fixup_field + 4 * (&e - arm_encoders) + (row.set == set_a32 ? 0 : row.set == set_t16 ? 1 : 2));
  if (const u16 modifier = o.expr[expr].modifier) {
    kind = group_kind(row, e, f.atom > 0 && o.atom(f.atom - 1) != atom_close);
    if (modifier < mod_pc_g0_nc || row.set != set_a32 || kind == 0) return false;
  }
  to.wait(kind, expr, f.atom);
  return true;
}

namespace {

constexpr std::size_t max_flags_name = 16;

/// apsr_gqvczn as apsr_nzcvqg; empty if it is nothing of the kind.
std::string_view flags_in_order(std::string_view name, char (&to)[max_flags_name]) {
  constexpr std::string_view all = "nzcvqg";
  const std::size_t line = name.find('_'), count = name.size() - line - 1;
  if (line == name.npos || (count != 5 && count != 6) || name.size() > max_flags_name) return {};
  for (std::size_t i = 0; i <= line; ++i) to[i] = name[i];
  for (std::size_t i = 0; i < count; ++i) {
    const auto is_this = [&](char c) { return text::lower(c) == all[i]; };
    if (std::none_of(name.begin() + line + 1, name.end(), is_this)) return {};
    to[line + 1 + i] = all[i];
  }
  return {to, name.size()};
}

/// CPSR_F: the fields have small letters, but for APSR_NZCVQ.
bool has_large_fields(std::string_view name) {
  const std::size_t line = std::min(name.find('_'), name.size());
  return text::lower(name[0]) != 'a' &&
         std::any_of(name.begin() + line, name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

}  // namespace

/// Whether the sign of #-0 counts. To GNU as it does in A32, and in the loads and stores of T32's coprocessors.
bool ArmTarget::subtracts_zero(const Row& row) const {
  return !options_.gnu || row.set != set_t32 || (facts_of(row).traits & minus_zero);
}

/// Whether a form of Thumb adds its offset, and #-0 is for another one. GNU as adds it in T32 all the same.
bool ArmTarget::only_adds(const Row& row) const {
  if (row.set == set_a32 || (options_.gnu && row.set == set_t32)) return false;
  const auto is_open = [&](unsigned i) { return (row.signature[0] >> (8 * i) & 0xFF) == atom_open; };
  return is_open(0) || is_open(1);
}

/// Lists of registers.
bool ArmTarget::encode_list(const Encoder& e, const Field& f, const Operands& o, u32& word) const {
  const i64 value = o.value[f.atom];
  bool fits = true;
  const auto put = [&](i64 bits) {
    word |= deposit(e, u64(bits), fits);
    return fits;
  };
  switch (e.encoding) {
    case enc_list:
      return !(value & ~e.low) && put(width_of(e) == 9 ? (value & 0xFF) | (value > 0xFF ? 0x100 : 0) : value);
    case enc_list_with: case enc_list_but:
      return value <= 0xFF && bool(value >> o.value[0] & 1) == (e.encoding == enc_list_with) && put(value);
    case enc_clear_list: return !(value & ~e.low) && put((value & 0x7FFF) | (value >> 16 & 1) << 15);
    case enc_single: return std::has_single_bit(u64(value)) && !(value & ~e.low) && put(std::countr_zero(u64(value)));
    case enc_count: return value >> 8 == e.low && put(value & 0xFF);
    case enc_s_list: return put((value & 0xFF) << 8 | value >> 8);
    case enc_d_list:
      return (value >> 8) <= (o.atom(f.atom) == atom_d_vpr && !options_.gnu ? 32 : 16) &&
             put((value & 0xFF) << 8 | ((value >> 8) * 2 + e.low));
    default: return false;
  }
}

/// Numbers that are not simply put where their bits go.
bool ArmTarget::encode_number(const Encoder& e, const Field& f, const Operands& o, u32& word) const {
  const i64 value = o.value[f.atom];
  bool fits = true;
  const auto put = [&](i64 bits) {
    word |= deposit(e, u64(bits), fits);
    return fits;
  };
  switch (e.encoding) {
    case enc_shift32: return value >= 1 && value <= 32 && put(value & 31);
    case enc_msb: {
      const i64 lsb = o.value[f.atom - 1];
      return value >= 1 && lsb + value <= 32 && put(lsb + value - 1);
    }
    case enc_width: return value >= 1 && o.value[f.atom - 1] + value <= 32 && put(value - 1);
    case enc_fpa_imm: {
      const bool later = o.atom(f.atom) == atom_expr;
      const int imm = fpa_immediate(later ? 0 : value, o.atom(f.atom) == atom_float);
      return !later && imm >= 0 && put(imm);
    }
    case enc_vfp_imm: {
      u64 bits = u64(value);
      const char* text = o.where[f.atom];
      if (*text == '#') ++text;
      if (o.atom(f.atom) != atom_float) {
        if (e.low) return false;  // only with a point
        // In hexadecimal: the bits of the single-precision number.
        const bool is_hex = text[0] == '0' && (text[1] | 0x20) == 'x' && value > 31;
        const double d = is_hex ? double(std::bit_cast<float>(u32(value))) : double(value);
        std::memcpy(&bits, &d, 8);
      }
      const int imm = vfp_immediate(bits);
      return imm >= 0 && put(imm);
    }
    case enc_simd_imm: case enc_simd_not: {
      const unsigned size = unsigned(e.low & 0xFF), narrow = unsigned(e.low >> 8 & 0xFF);
      // Of a complement the upper half of a word may be written too.
      const bool is_not = e.encoding == enc_simd_not;
      if (!fits_element(is_not && size == 16 && value >> 16 == 0xFFFF ? value & 0xFFFF : value, size)) return false;
      const u64 element = is_not ? ~u64(value) & (~u64(0) >> (64 - size)) : u64(value);
      if (narrow && !repeats(element, narrow, size)) return false;
      const int imm = simd_immediate(element, narrow ? narrow : size);
      const bool shifts_in_ones = (imm & 0xE00) == 0xC00, zeros_alone = e.low >> 16 & 1;
      return imm >= 0 && !(shifts_in_ones && zeros_alone) && put(imm);
    }
    default: return false;
  }
}

bool ArmTarget::encode_special(const Row& row, const Encoder& e, const Field& f, const Operands& o, Encoded& to) const {
  const i64 value = o.value[f.atom];
  const bool later = o.atom(f.atom) == atom_expr;
  bool fits = true;
  const auto put = [&](i64 bits) {
    to.word |= deposit(e, u64(bits), fits);
    return fits;
  };
  switch (e.encoding) {
    case enc_constant: return value == e.low;
    case enc_float_constant: {
      double wanted, given;
      std::memcpy(&wanted, &e.low, 8);
      if (o.atom(f.atom) == atom_float) std::memcpy(&given, &value, 8);
      else given = double(value);
      return given == wanted && std::signbit(given) == std::signbit(wanted);
    }
    case enc_same: return value == o.value[e.low];
    case enc_name: {
      const std::string_view name(o.where[f.atom], std::size_t(value));
      char ordered[max_flags_name];
      const NameEntry* n = find_name(unsigned(e.low), name);
      if (!n) n = find_name(unsigned(e.low), flags_in_order(name, ordered));
      if (e.low == names_status_fields && has_large_fields(name)) return false;
      return n && put(n->value);
    }
    case enc_next:
      if (value != o.value[e.low] + 1 || (e.high && (o.value[e.low] & 1))) return false;
      return e.segments == 0 || put(value);
    case enc_other_than: return value != o.value[e.low];
    case enc_a32_imm: case enc_a32_minus: case enc_a32_not: case enc_t32_imm: case enc_t32_minus: case enc_t32_not:
    case enc_signed: case enc_imm_expr:
      if (later) return encode_later(row, e, f, o, to);
      if (o.atom(f.atom) == atom_minus_zero && e.encoding == enc_imm_expr && only_adds(row)) return false;
      if (options_.gnu && e.encoding < enc_signed && !is_word(value)) {  // the lower bits count
        to.truncated = true;
        return apply_encoder(e, u32(u64(value)), to.word);
      }
      if (o.atom(f.atom) == atom_minus_zero && e.encoding == enc_signed && subtracts_zero(row)) return put(0);
      return apply_encoder(e, value, to.word);
    case enc_mov16: case enc_mov16_top: {
      if (!later) return value >= 0 && value <= 0xFFFF && put(value);
      const bool top = e.encoding == enc_mov16_top;
      if (row.set == set_a32) to.wait(top ? fixup_a32_movt : fixup_a32_movw, value, f.atom);
      else to.wait(top ? fixup_t32_movt : fixup_t32_movw, value, f.atom);
      return true;
    }
    case enc_byte: {
      const u16 modifier = o.expr[value].modifier;
      if (modifier < mod_lower0_7 || modifier > mod_upper8_15) return false;
      to.wait(fixup_t16_byte, value, f.atom);
      return true;
    }
    case enc_literal_pool: case enc_literal_pool8:
      to.pool = true;
      to.pool_reaches_far = e.encoding == enc_literal_pool;
      to.pool_atom = f.atom;
      return true;
    case enc_shift32: case enc_msb: case enc_width: case enc_fpa_imm: case enc_vfp_imm: case enc_simd_imm:
    case enc_simd_not: return encode_number(e, f, o, to.word);
    case enc_list: case enc_list_with: case enc_list_but: case enc_clear_list: case enc_single: case enc_count:
    case enc_s_list: case enc_d_list: return encode_list(e, f, o, to.word);
    default: return encode_distance(row, e, f, o, to);
  }
}

bool ArmTarget::encode_field(const Row& row, const Encoder& e, const Field& f, const Operands& o, Encoded& to) const {
  if (switches_.no_negative && is_negated(e)) return false;
  if (e.encoding > enc_linear) return encode_special(row, e, f, o, to);
  const i64 value = o.value[f.atom];
  // Fields of negative numbers take these as words too (0xFFFFFFF9).
  const bool as_word = e.scale < 0 && value > 0x7FFFFFFF && value <= 0xFFFFFFFFll;
  return put_linear(e, as_word ? value - 0x100000000ll : value, to.word);
}

}  // namespace xas::arm
