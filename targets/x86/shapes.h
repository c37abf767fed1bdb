// SPDX-License-Identifier: Apache-2.0
// The groups of registers and the classes of numbers that stand for each other in shapes (line_shape.cpp,
// typed_shape.cpp, shapes.cpp).
#pragma once

#include <array>

#include "targets/hash.h"
#include "targets/instruction_fields.h"
#include "targets/x86/registers.h"

namespace xas::x86 {

/// Registers come in groups of up to eight: of one size, with the same upper bits of their numbers. All of a group are
/// encoded alike but for three bits.
struct ShapeRegister {
  u64 name;           ///< name_word of what stands behind the '%'
  u8 mark;            ///< the group's own, from first_register_mark up
  u8 number;          ///< within the group
  bool in_addresses;  ///< can be the base of an address
  bool short_forms;   ///< there are instructions for this register and an immediate
};

/// The registers that are in a group, by name.
template <std::size_t slots>
struct ShapeRegisterTable {
  static_assert((slots & (slots - 1)) == 0);
  std::array<ShapeRegister, slots> entries{};  ///< a mark of 0: none

  static constexpr std::size_t slot(u64 name) { return (name * hash_multiplier) >> 32 & (slots - 1); }

  constexpr void add(const ShapeRegister& r) {
    std::size_t s = slot(r.name);
    while (entries[s].mark) s = (s + 1) & (slots - 1);
    entries[s] = r;
  }
  constexpr const ShapeRegister* find(u64 name) const {
    for (std::size_t s = slot(name); entries[s].mark; s = (s + 1) & (slots - 1))
      if (entries[s].name == name) return &entries[s];
    return nullptr;
  }
};
using ShapeRegisters = ShapeRegisterTable<512>;

extern const ShapeRegisters shape_registers;

/// The same by the number that Target::parse_register gives; a mark of 0: none.
extern const std::array<ShapeRegister, registers.count> numbered_shape_registers;

/// TargetInfo::Lines::registers; a group is its mark.
extern const GroupedRegisterTable grouped_registers;

/// All numbers of a class are in the same ranges, whatever the ranges of immediates are. 0: it has no class.
constexpr u8 immediate_class(i64 v) {
  if (v >= 0) return v <= 3 ? 0 : v <= 15 ? 1 : v <= 127 ? 2 : v <= 255 ? 3 : v <= 32767 ? 4 : v <= 65535 ? 0 : 5;
  return v >= -128 ? 6 : v >= -32768 ? 7 : 8;
}

/// The same for displacements.
constexpr u8 displacement_class(i64 v) {
  if (v >= 0) return v == 0 ? 0 : v <= 127 ? 1 : v <= 32767 ? 2 : 3;
  return v >= -128 ? 4 : v >= -32768 ? 5 : 6;
}

}  // namespace xas::x86
