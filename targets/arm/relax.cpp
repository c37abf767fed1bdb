// SPDX-License-Identifier: Apache-2.0
// Instructions of Thumb that grow from 16 to 32 bits where their distance asks for it: branches, and what reads or
// takes the address of a literal.
//
// A form is its kind (the enumeration below) in the upper byte, and a condition or a register in the lower.
#include "targets/arm/arm.h"

namespace xas::arm {

namespace {

enum Kind { branch, conditional, load, address, zero };

Kind kind_of(u16 form) { return Kind(form >> 8); }

constexpr u32 narrow_branch = 0xE000, wide_branch = 0xF0009000;
constexpr u32 narrow_conditional = 0xD000, wide_conditional = 0xF0008000;

}  // namespace

unsigned ArmTarget::relax_size(u16, u8 state) const { return state ? 4 : 2; }

u8 ArmTarget::relax_unresolved_state(u16 form) const { return kind_of(form) != zero; }

/// Distances from the start of the instruction. Those of loads count from a multiple of 4: for their targets, which are
/// multiples of 4 themselves, the range has room for either.
RelaxRange ArmTarget::relax_range(u16 form, u8 state) const {
  if (state) return {INT64_MIN, INT64_MAX};
  switch (kind_of(form)) {
    case branch: return {-2048 + 4, 2046 + 4};
    case conditional: return {-256 + 4, 254 + 4};
    case zero: return {INT64_MIN, INT64_MAX};  // it has one size, but llvm-mc counts it with those that may grow
    default: return {2, 1020 + 4, 4};
  }
}

FieldFixup ArmTarget::relax_write(u16 form, u8 state, u8* out) const {
  const u32 low = form & 0xFF;
  // From a table: putting the structure together in parts and loading it whole would stall.
  static constexpr FieldFixup fields[][2] = {{{fixup_t16_b11, 0, -4}, {fixup_t32_b24, 0, -4}},
                                             {{fixup_t16_b8, 0, -4}, {fixup_t32_b20, 0, -4}},
                                             {{fixup_t16_load, 0, -4}, {fixup_t32_load, 0, -4}},
                                             {{fixup_t16_adr, 0, -4}, {fixup_t32_adr, 0, -4}},
                                             {{fixup_t16_cbz, 0, -4}, {fixup_t16_cbz, 0, -4}}};
  const u32 narrow[] = {narrow_branch, narrow_conditional | low << 8, 0x4800 | low << 8, 0xA000 | low << 8,
                        0xB100 | (low & 8) << 8 | (low & 7)};
  const u32 wide[] = {wide_branch, wide_conditional | low << 22, 0xF85F0000 | low << 12, 0xF20F0000 | low << 8, 0};
  const FieldFixup& field = fields[kind_of(form)][state != 0];
  store(out, field.kind, state ? wide[kind_of(form)] : narrow[kind_of(form)]);
  return field;
}

bool ArmTarget::relax_write_known(u16 form, u8 state, i32 distance, u8* out) const {
  const u32 condition = form & 0xFF;
  const i64 value = i64(distance) - 4;
  switch (kind_of(form)) {
    case branch:
      return state ? write_branch(fixup_t32_b24, wide_branch, value, out)
                   : write_branch(fixup_t16_b11, narrow_branch, value, out);
    case conditional:
      return state ? write_branch(fixup_t32_b20, wide_conditional | condition << 22, value, out)
                   : write_branch(fixup_t16_b8, narrow_conditional | condition << 8, value, out);
    default: return false;
  }
}

}  // namespace xas::arm
