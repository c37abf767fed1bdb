// Which bits of an instruction hold its numbers and registers, and which registers stand for each other: what the
// assembler needs to put an instruction together from one of the same shape (asm/instruction_shape.h).
#pragma once

#include <array>
#include <string_view>

#include "targets/hash.h"

namespace xas {

/// What stands for a register in a shape. Below are the marks of numbers and names, and characters.
inline constexpr u8 first_register_mark = 0xB0;

/// Registers come in groups of up to eight: of one size, with the same upper bits of their numbers. All of a group are
/// encoded alike but for three bits.
struct ShapeRegister {
  u64 name;           ///< name_word of what stands behind the '%'
  u8 mark;            ///< the group's own, from first_register_mark up
  u8 number;          ///< within the group
  bool in_addresses;  ///< can be the base of an address
  bool short_forms;   ///< there are instructions for this register and an immediate
};

/// The registers of a target that are in a group, by name.
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

/// Where an instruction holds the number of a register within its group, plain or inverted: three bits of a byte.
struct RegisterField {
  static constexpr u8 nowhere = 8;  ///< a shift: the register is no field, but implied

  u8 number;
  u8 at;
  u8 shift;
  u8 alike;  ///< a bit for each register of the group that could stand here, with no other change than of this field
};

struct InstructionFields {
  static constexpr unsigned max_registers = 5;

  // Which bytes hold the number operands, each as a little-endian number sign-extended to what was written; a size of
  // 0: there is none, or it is not held so.
  u8 displacement_at = 0, displacement_size = 0;
  u8 immediate_at = 0, immediate_size = 0;

  // All registers of the operands that are in a group, as written; none if they can't be told.
  u8 register_count = 0;
  RegisterField registers[max_registers];
};

/// What is taken out of a line, for targets whose instructions are words; both lists are in its order.
struct WordPieces {
  static constexpr unsigned max_registers = 5, max_numbers = 2;

  const char* line;
  u8 register_count = 0, number_count = 0;
  struct {
    u8 at, number;
  } registers[max_registers];
  struct {
    u8 at;
    i32 value;
  } numbers[max_numbers];
};

/// How such an instruction holds them: which numbers and registers of its shape are encoded as these are, and where.
struct WordFields {
  static constexpr unsigned max_parts = 2;

  struct Register {
    u8 most;    ///< up to this number
    u8 bit[2];  ///< where its five bits are; `no_bit`: nowhere
  };
  static constexpr u8 no_bit = 32;

  /// ((number ^ flip) + add) >> shift, `width` bits of it, from `bit` up.
  struct Part {
    i32 flip, add;
    u8 shift, width, bit;
  };
  struct Number {
    i32 low, high;
    u32 odd;  ///< bits that must be zero
    Part parts[max_parts];
  };

  bool known = false;     ///< false: nothing can be said
  bool distinct = false;  ///< the registers must differ, or the instruction has to be looked at
  Register registers[WordPieces::max_registers];
  Number numbers[WordPieces::max_numbers];
};

}  // namespace xas
