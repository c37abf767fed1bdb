// SPDX-License-Identifier: Apache-2.0
// The groups of registers that stand for each other in shapes of lines (line_shape.cpp, shapes.cpp).
#pragma once

#include <array>

#include "targets/hash.h"

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

}  // namespace xas::x86
