// SPDX-License-Identifier: Apache-2.0
// -O of instructions that extend a part of a register, which GNU as makes shorter from 2.47 on.
//
//   -O   the accumulator's sign into the accumulator: cbtw, cwtl, cltq
//   -Os  zero into the upper byte of the same register: mov; in 16-bit code, zero into the upper half: lea
#include "targets/x86/address.h"
#include "targets/x86/optimize.h"
#include "targets/x86/tables.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

namespace {

constexpr u8 movsx_byte = 0xBE, movsx_word = 0xBF, movzx_byte = 0xB6, movzx_word = 0xB7, movsxd = 0x63;

/// What extends the accumulator's sign in the same way; empty if there is no such instruction.
std::string_view accumulator_name(const Row& row, const Statement& s) {
  if (s.ops[0].number != 0 || s.ops[1].number != 0) return {};
  const RegClass to = s.ops[1].reg->cls;
  if (row.map == map_none) return row.opcode == movsxd && to == RegClass::r64 ? "cltq" : "";
  if (row.opcode == movsx_byte && to == RegClass::r16) return "cbtw";
  return row.opcode == movsx_word && to == RegClass::r32 ? "cwtl" : "";
}

/// Makes operands of zero and the upper half of the register; false if no mov has them.
bool clear_upper_byte(Statement& s) {
  constexpr std::string_view upper[] = {"ah", "ch", "dh", "bh"};
  const u8 number = s.ops[1].number;
  const bool with_rex = s.rex || (s.prefixes & (want_rex | want_rex2));
  if (s.ops[0].number != number || number >= std::size(upper) || with_rex) return false;
  Operand& zero = s.ops[0];
  static_cast<OperandFacts&>(zero) = {};
  zero.space = space_other;
  zero.is_immediate = true;
  zero.value = {};
  s.ops[1].set_register(registers.regs[find_register(name_word(upper[number].data(), 2))]);
  return true;
}

/// Makes the source an address, which is zero-extended; false if none of 16 bits is that register alone.
bool address_register(Statement& s) {
  constexpr u8 bx = 3, si = 6, di = 7;
  const u8 number = s.ops[0].number;
  if ((number != bx && number != si && number != di) || (s.prefixes & want_disp32)) return false;
  make_address(s.ops[0], AddressRegs::r16, number);
  s.memory = 0;
  return true;
}

}  // namespace

const Row* X86Target::Optimizer::optimize_extension(const Row& row, Statement& s) const {
  if (row.encoding != encoding_legacy || row.map > map_0f || s.count != 2) return nullptr;
  if (!is_register(s.ops[0]) || !is_register(s.ops[1])) return nullptr;
  Statement other = s;
  if (const std::string_view name = accumulator_name(row, s); !name.empty()) {
    other.count = 0;
    return adopt(s, other, name);
  }
  if (row.map != map_0f || x_.options_.optimize != optimize_for_size) return nullptr;
  const RegClass to = s.ops[1].reg->cls;
  if (row.opcode == movzx_byte && to == RegClass::r16 && clear_upper_byte(other)) {
    x_.classify_immediate(other.ops[0]);
    return adopt(s, other, "mov");
  }
  const bool widens = row.opcode == movzx_word && to == RegClass::r32 && x_.mode_ == 16;
  return widens && address_register(other) ? adopt(s, other, "lea") : nullptr;
}

}  // namespace xas::x86
