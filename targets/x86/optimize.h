// SPDX-License-Identifier: Apache-2.0
// What the files about -O, and about options that choose another instruction, ask of operands.
#pragma once

#include "targets/x86/address.h"
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

/// -O: another instruction that does the same and is shorter. Each gives its row, with the statement changed, or the
/// row that it was given (null, where it was given none) if there is nothing better.
class X86Target::Optimizer {
 public:
  explicit Optimizer(const X86Target& target) : x_(target) {}

  const Row* optimize(const Row* row, Statement& s) const;

 private:
  const Row* optimize_lea(Statement& s) const;
  const Row* widen_lea(const Row* given, Statement& s) const;
  const Row* optimize_vector(const Row& row, Statement& s) const;
  const Row* adopt(Statement& s, const Statement& other, std::string_view name) const;
  const Row* optimize_shift(const Row& row, Statement& s) const;
  const Row* optimize_extension(const Row& row, Statement& s) const;
  const Row* optimize_flagless(const Row& row, Statement& s) const;
  const Row* adopt_sum(Statement& s, const Sum& sum, unsigned size) const;
  const Row* optimize_product(const Row& row, Statement& s) const;
  const Row* optimize_with_bmi2(const Row& row, Statement& s) const;
  const Row* optimize_destination(const Row& row, Statement& s) const;
  const Row* optimize_newly(const Row& row, Statement& s) const;
  const Row* optimize_extract(Statement& s) const;
  const Row* optimize_insert(bool vex, Statement& s) const;

  const X86Target& x_;
};

}  // namespace xas::x86
