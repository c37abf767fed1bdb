// SPDX-License-Identifier: Apache-2.0
// Loads of constants: ldr r0, =value, and GNU as's vldr d0, =value and ldrh r0, =value. A move makes the number if one
// can, which depends on the assembler; else it is a word or two of the literal pool.
#include <fmt/format.h>

#include <cstring>

#include "targets/arm/arm.h"

namespace xas::arm {

namespace {

/// The 8 bits of a floating-point immediate, given the number's own bits; -1 if it is none.
int vfp_immediate_of(u64 bits, bool is_double) {
  if (is_double) return vfp_immediate(bits);
  float single;
  const u32 low = u32(bits);
  std::memcpy(&single, &low, 4);
  const double wide = single;
  std::memcpy(&bits, &wide, 8);
  return vfp_immediate(bits);
}

/// op:cmode:imm8 of a move to 64 bits of Advanced SIMD, of elements as large as can be; -1 if there is none.
int simd_immediate_of(u64 v) {
  const u32 low = u32(v);
  int imm = simd_immediate(v, 64);
  if (imm < 0 && u32(v >> 32) == low) {
    imm = simd_immediate(low, 32);
    if (imm < 0 && low >> 16 == (low & 0xFFFF)) {
      imm = simd_immediate(low & 0xFFFF, 16);
      if (imm < 0 && (low >> 8 & 0xFF) == (low & 0xFF)) imm = simd_immediate(low & 0xFF, 8);
    }
  }
  return imm;
}

}  // namespace

/// The move that makes a number in general register `rt`; -1 if there is none.
i64 ArmTarget::literal_move(const Row& row, const Mnemonic& m, u32 rt, u32 v) const {
  int imm;
  if (row.set == set_a32) {
    const u32 condition = u32(m.condition) << 28;
    if ((imm = a32_immediate(v)) >= 0) return condition | 0x03A00000 | rt << 12 | u32(imm);
    if ((imm = a32_immediate(~v)) >= 0) return condition | 0x03E00000 | rt << 12 | u32(imm);
    if (v <= 0xFFFF && !options_.gnu && processor_.prefers("v6t2"))
      return condition | 0x03000000 | (v >> 12) << 16 | rt << 12 | (v & 0xFFF);
  } else if (m.width != 2 && (row.set == set_t32 || options_.gnu || rt < 8)) {
    if ((imm = t32_immediate(v)) >= 0 && processor_.prefers("thumb2"))
      return 0xF04F0000 | rt << 8 | t32_spread(u32(imm));
    if ((imm = t32_immediate(~v)) >= 0 && processor_.prefers("thumb2"))
      return 0xF06F0000 | rt << 8 | t32_spread(u32(imm));
    if (v <= 0xFFFF && processor_.prefers("v8m.base"))
      return 0xF2400000 | (v >> 12) << 16 | rt << 8 | t32_spread(v & 0xFFF);
  }
  return -1;
}

/// The move that makes a number in an extension register, whose bits are in `word`; -1 if there is none.
i64 ArmTarget::literal_vector_move(u32 word, bool is_double, u64 v) const {
  constexpr u32 destination = 0x0040F000, condition = 0xF0000000;
  if (is_double && processor_.prefers("neon")) {
    // An immediate, or the complement of one.
    int imm = simd_immediate_of(v);
    u32 op = 0;
    if (imm < 0) imm = simd_immediate_of(~v), op = 1;
    if (imm >= 0) {
      const u32 bits = u32(imm);
      return (thumb_ ? 0xEF800010 : 0xF2800010) | (word & destination) | (bits >> 7 & 1) << (thumb_ ? 28 : 24) |
             (bits >> 4 & 7) << 16 | (bits >> 8 & 15) << 8 | ((bits >> 12 & 1) ^ op) << 5 | (bits & 15);
    }
  }
  const int imm = processor_.prefers("vfp3d16sp") && (!is_double || processor_.prefers("fp64"))
                      ? vfp_immediate_of(v, is_double)
                      : -1;
  if (imm < 0) return -1;
  return (word & (condition | destination)) | (is_double ? 0x0EB00B00 : 0x0EB00A00) | u32(imm >> 4) << 16 |
         u32(imm & 15);
}

/// A load of =value: a move if one can make the number, else a place in the pool.
void ArmTarget::emit_literal(const Row& row, const Encoded& e, const Mnemonic& m, const Operands& o, Emitter& out) {
  const Value& value = o.expr[o.value[e.pool_atom]];
  const char* where = o.where[e.pool_atom];
  const u32 rt = u32(o.value[0]);
  const bool is_double = o.atom(0) == atom_d, is_vector = is_double || o.atom(0) == atom_s;
  i64 constant = value.constant;
  const bool moves = value.modifier == 0 && (is_vector || (options_.gnu && !thumb_) || (rt != reg_pc && rt != reg_sp));
  if (moves && (value.is_constant() || out.known_constant(value, constant))) {
    if (!is_double && (constant < -0x80000000ll || constant > 0xFFFFFFFFll))
      return out.error(where, fmt::format("{} does not fit in 32 bits", constant));
    const u32 v = u32(constant);
    if (!is_vector && thumb_ && !options_.gnu && blocks_.it.state && rt < 8 && v <= 255 && m.width != 4)
      return out.advance(write(0x2000 | rt << 8 | v, true, out.out));
    const i64 word = is_vector ? literal_vector_move(e.word, is_double, u64(constant)) : literal_move(row, m, rt, v);
    if (word >= 0) {
      used_.thumb2 |= row.set != set_a32;
      return out.advance(write(u32(word), false, out.out));
    }
  }
  if (is_double && !value.is_constant() && !out.known_constant(value, constant))
    return out.error(where, "a literal of 8 bytes is a number; `ldr r0, =name` loads an address");
  Value address;
  address.add = out.literal(value, is_double ? 8 : 4, where);
  if (address.add == no_symbol) return;
  if (row.set == set_t16 && m.width == 0 && can_grow(fixup_t16_load))
    return out.relaxable(u16(0x200 | rt), address, where);
  const bool a32 = row.set == set_a32;
  const u16 kind = is_vector            ? (a32 ? fixup_a32_vload : fixup_t32_vload)
                   : a32 && !e.pool_reaches_far ? fixup_a32_pool8
                   : a32                ? (options_.gnu ? fixup_a32_pool : fixup_a32_load)
                   : row.set == set_t16 ? fixup_t16_load
                                        : fixup_t32_load;
  const unsigned size = write(e.word, row.set == set_t16, out.out);
  out.fixup({.kind = kind, .at = 0, .addend = i8(a32 ? -8 : -4)}, address, where);
  out.advance(size);
}

}  // namespace xas::arm
