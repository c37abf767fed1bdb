// SPDX-License-Identifier: Apache-2.0
// What the shapes of lines (line_shape.cpp) have to know of registers: their groups, the fields that hold them, and
// where one of a group is not like the others, because a form is made for it (add $1000, %eax).
#include "targets/x86/shapes.h"

#include "targets/line_shape.h"
#include "targets/x86/tables.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

namespace {

/// The mark of a register's group, 0: it is in none. The groups of a class follow each other by number; of those whose
/// low bytes have two kinds of names, those that need a REX prefix come last.
constexpr u8 group_mark(RegClass cls, unsigned number, u8 flags) {
  constexpr u8 first = first_register_mark;
  const unsigned octet = number / 8;
  // The stack pointer is in none: in addresses it takes the place of what is not there.
  if (cls != RegClass::r8 && cls <= RegClass::r64 && number == 4) return 0;
  switch (cls) {
    case RegClass::r8:
      if (flags & (reg_no_rex | reg_egpr)) return 0;
      return octet ? first + 2 : !(flags & reg_needs_rex) ? first : number >= 4 ? first + 1 : 0;
    case RegClass::r16: return octet < 2 ? u8(first + 3 + octet) : 0;
    case RegClass::r32: return octet < 2 ? u8(first + 5 + octet) : 0;
    case RegClass::r64: return octet < 2 ? u8(first + 7 + octet) : 0;
    case RegClass::xmm: return u8(first + 9 + octet);
    case RegClass::ymm: return u8(first + 13 + octet);
    case RegClass::zmm: return u8(first + 17 + octet);
    default: return 0;
  }
}

constexpr std::array<ShapeRegister, registers.count> make_numbered() {
  std::array<ShapeRegister, registers.count> all{};
  for (unsigned i = 0; i < registers.count; ++i) {
    const Reg& r = registers.regs[i];
    const bool address = r.cls == RegClass::r64 || r.cls == RegClass::r32;
    all[i] = {r.name, group_mark(r.cls, r.number, r.flags), u8(r.number & 7), address,
              r.cls <= RegClass::r64 && r.number == 0};
  }
  return all;
}
constexpr auto numbered = make_numbered();

constexpr ShapeRegisters make_shape_registers() {
  ShapeRegisters table;
  for (const ShapeRegister& r : numbered)
    if (r.mark) table.add(r);
  return table;
}

/// The classes of one register, and its number.
struct SingleClass {
  u64 classes;
  u8 number;
};
constexpr SingleClass singles[] = {
    {class_bit("al") | class_bit("ax") | class_bit("eax") | class_bit("rax") | class_bit("xmm0"), 0},
    {class_bit("cl") | class_bit("cx") | class_bit("ecx") | class_bit("rcx"), 1},
    {class_bit("dx") | class_bit("edx") | class_bit("rdx"), 2},
    {class_bit("ebx") | class_bit("rbx"), 3}};
constexpr u64 all_singles = singles[0].classes | singles[1].classes | singles[2].classes | singles[3].classes;

bool all_others_fit(const Row& row, const Statement& s, unsigned operand) {
  for (unsigned i = 0; i < s.count; ++i)
    if (i != operand && !operand_fits(row, s, i)) return false;
  return true;
}

/// Where a row holds an operand.
int role_of(const Row& row, unsigned operand) {
  int role = -1;
  for (const Role r : {role_reg, role_rm, role_vvvv, role_opcode, role_is4}) {
    if (operand_in_role(row, r) != operand) continue;
    if (role >= 0) return -1;
    role = r;
  }
  return role;
}

}  // namespace

constinit const ShapeRegisters shape_registers = make_shape_registers();

constinit const std::array<ShapeRegister, registers.count> numbered_shape_registers = numbered;

constinit const GroupedRegisterTable grouped_registers = [] {
  GroupedRegisterTable all{};
  static_assert(registers.count < all.size());
  for (unsigned i = 0; i < registers.count; ++i) all[i + 1] = {numbered[i].mark, numbered[i].number};
  return all;
}();

/// RegisterField::alike of a register operand: registers of a group are alike but for the classes they are alone in.
u8 X86Target::registers_alike(const Row& row, const Statement& s, unsigned operand) const {
  const Operand& o = s.ops[operand];
  const u8 own = u8(1 << (o.number & 7));
  if (!(x86_kinds[row.kind[operand]][space_register] & ~all_singles)) return own;
  u8 alike = 0xFF;
  if (o.number >= 8) return alike;
  for (unsigned i = 0; i < s.spelling->count; ++i) {
    const Row& other = x86_rows[x86_lists[s.spelling->first + i]];
    if (other.count != s.count) continue;
    const u64 kind = x86_kinds[other.kind[operand]][space_register];
    if (!kind || (kind & ~all_singles) || !all_others_fit(other, s, operand)) continue;
    if (kind & o.classes) return own;
    for (const SingleClass& c : singles)
      if (kind & c.classes) alike &= u8(~(1 << c.number));
  }
  return alike;
}

/// Of an instruction that has been encoded: the registers and their fields. Nothing is said of rows that do more with
/// registers than to put them into fields.
void X86Target::note_registers(const Row& row, const Statement& s, unsigned opcode_at, unsigned size) {
  const bool strange = row.flags & (row_special | row_distinct | row_sib);
  if (strange || s.shapeless || s.prefixes || s.rex || s.segment_prefix || s.emitted || !s.spelling) return;
  const bool exchanged = (row.flags & (row_comm | row_commf)) && exchange_is_shorter(row, s);
  const u8 modrm_at = u8(opcode_at + 1);
  unsigned count = 0;
  const auto add = [&](unsigned number, unsigned at, unsigned shift, unsigned alike) {
    if (count < InstructionFields::max_registers)
      fields_.registers[count] = {u8(number & 7), u8(at), u8(shift), u8(alike)};
    ++count;
  };
  for (unsigned i = 0; i < s.count; ++i) {
    const Operand& o = s.ops[i];
    if (o.space == space_register) {
      if (!group_mark(o.reg->cls, o.number, o.reg_flags)) continue;
      int role = role_of(row, i);
      if (exchanged && (role == role_rm || role == role_vvvv)) role = role == role_rm ? role_vvvv : role_rm;
      const u8 alike = registers_alike(row, s, i);
      switch (role) {
        case role_reg: add(o.number, modrm_at, 3, alike); break;
        case role_rm: add(o.number, modrm_at, 0, alike); break;
        case role_opcode: add(o.number, row.modrm_form == modrm_none ? opcode_at : modrm_at, 0, alike); break;
        case role_vvvv: add(o.number, opcode_at - (row.encoding == encoding_evex ? 2 : 1), 3, alike); break;
        case role_is4: add(o.number, size - 1, 4, alike); break;
        default: add(o.number, 0, RegisterField::nowhere, 1u << (o.number & 7)); break;
      }
    } else if (o.is_memory) {
      if (o.vector_index || o.regs == AddressRegs::r16) return;
      if (o.regs != AddressRegs::r32 && o.regs != AddressRegs::r64) continue;
      const RegClass cls = o.regs == AddressRegs::r32 ? RegClass::r32 : RegClass::r64;
      const bool encoded = role_of(row, i) == role_rm, sib = o.has_index || (o.base & 7) == 4;
      const auto add_address = [&](u8 number, unsigned shift) {
        if (!group_mark(cls, number, 0)) return;
        if (encoded) add(number, modrm_at + sib, shift, 0xFF);
        else add(number, 0, RegisterField::nowhere, 1u << (number & 7));
      };
      if (o.has_base) add_address(o.base, 0);
      if (o.has_index && o.index != 4) add_address(o.index, 3);
    }
  }
  if (count <= InstructionFields::max_registers) fields_.register_count = u8(count);
}

}  // namespace xas::x86
