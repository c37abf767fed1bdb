// SPDX-License-Identifier: Apache-2.0
// What the files about -O, and about options that choose another instruction, ask of operands.
#pragma once

#include "targets/x86/tables.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

inline constexpr unsigned optimize_for_size = 3;  // -Os

inline bool is_register(const Operand& o) { return o.space == space_register; }

/// Makes `o` the address in a register.
inline void make_address(Operand& o, AddressRegs regs, u8 base) {
  static_cast<OperandFacts&>(o) = {};
  o.is_memory = o.has_base = true;
  o.space = space_other;
  o.classes = memory_classes;
  o.regs = regs;
  o.base = base;
  o.value = {};
}

/// The register of that class with the number of `o`.
inline void resize(Operand& o, RegClass cls) {
  for (unsigned i = 0; i < registers.count; ++i) {
    const Reg& r = registers.regs[i];
    const bool fits = r.cls == cls && r.number == o.number && !(r.flags & (reg_slow | reg_no_rex));
    if (fits) return o.set_register(r);
  }
}

inline bool constant_in(const Operand& o, i64 low, i64 high) {
  return o.is_immediate && !o.symbolic && o.value.constant >= low && o.value.constant <= high;
}

inline constexpr i64 imm32 = 0xFFFFFFFF, imm31 = 0x7FFFFFFF, imm7 = 0x7F;

inline bool is_register_of(const Operand& o, RegClass cls) { return is_register(o) && o.reg->cls == cls; }

inline bool is_twice_the_same(const Statement& s) {
  return s.count == 2 && is_register(s.ops[0]) && is_register(s.ops[1]) && s.ops[0].reg == s.ops[1].reg;
}

/// The mnemonic without a suffix for the size.
inline std::string_view base_name(const Statement& s) {
  std::string_view name = s.mnemonic;
  if (s.spelling && s.spelling->suffix) name.remove_suffix(1);
  return name;
}

}  // namespace xas::x86
