// SPDX-License-Identifier: Apache-2.0
// Which operand goes to which field of an instruction: for the files that write its bytes.
#pragma once

#include "targets/x86/tables.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

/// A displacement field as ModRM wrote it.
struct Displacement {
  u8* at = nullptr;
  u8 size = 0;
  u16 kind = 0;
};

/// The operands in their fields, and what has been written of the instruction.
struct Placement {
  const Operand* reg;
  const Operand* rm;
  const Operand* opcode;
  const Operand* memory;  ///< rm, if it is memory
  const Operand* target;
  unsigned address_bits;
  u8 reg_number = 0, rm_number = 0, vvvv_number = 0;
  bool any_rex = false, rex2 = false;
  Displacement disp;

  /// The fourth bits of the registers in ModRM and SIB.
  unsigned reg_high() const { return reg_number >> 3 & 1; }
  unsigned base_high() const { return (memory ? memory->base : rm_number) >> 3 & 1; }
  unsigned index_high() const { return rm ? rm->index >> 3 & 1 : 0; }
};

/// The operands in the fields that `row` has for them.
[[gnu::always_inline]] inline Placement place(const Row& row, const Statement& s, unsigned mode) {
  Placement f;
  f.reg = role_operand(row, s, role_reg);
  f.rm = role_operand(row, s, role_rm);
  f.opcode = role_operand(row, s, role_opcode);
  f.target = role_operand(row, s, role_target);
  f.memory = f.rm && f.rm->is_memory ? f.rm : nullptr;
  f.address_bits = mode;
  if (f.reg) f.reg_number = f.reg->number;
  if (f.rm) f.rm_number = f.rm->number;  // 0 if it is memory
  if (f.opcode) f.rm_number = f.opcode->number;
  if (row.encoding != encoding_legacy)
    if (const Operand* vvvv = role_operand(row, s, role_vvvv)) f.vvvv_number = vvvv->number;
  return f;
}

/// How wide an address with these registers is: as the mode, if there are none.
inline unsigned address_bits_of(AddressRegs r, unsigned mode) {
  switch (r) {
    case AddressRegs::r16: return 16;
    case AddressRegs::r32:
    case AddressRegs::eip: return 32;
    case AddressRegs::r64:
    case AddressRegs::rip: return 64;
    case AddressRegs::none: return mode;
  }
  return mode;
}

/// An operand in memory that is not encoded: of instructions on strings, and `xlat`. Null: there is none.
inline const Operand* implied_address(const Row& row, const Statement& s, const Placement& f) {
  return !f.memory && s.memory >= 0 && row.target == target_none ? &s.ops[s.memory] : nullptr;
}

/// What lea computes has no more bits than the displacement.
inline bool is_narrow_lea(const Row& row) { return row.operand_size != size_64 && facts_of(row).has(trait_lea); }

}  // namespace xas::x86
