// SPDX-License-Identifier: Apache-2.0
// Which bits of an instruction hold its numbers and registers, and which registers stand for each other: what the line
// cache needs to put an instruction together from the template of its shape (line_shape.h).
#pragma once

#include <array>

#include "targets/hash.h"

namespace xas {

/// Where an instruction holds the number of a register within its group, plain or inverted: three bits of a byte.
struct RegisterField {
  static constexpr u8 nowhere = 8;  ///< a shift: the register is no field, but implied

  u8 number;
  u8 at;
  u8 shift;
  u8 alike;  ///< a bit for each register of the group that could stand here, with no other change than of this field
};

/// What an xas_register is in shapes.
struct GroupedRegister {
  u8 group;   ///< 0: none
  u8 number;  ///< within the group
};
/// By xas_register; behind those of the target they are of no group.
using GroupedRegisterTable = std::array<GroupedRegister, 512>;

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

/// What is taken out of a line, for targets whose instructions are words; both lists are in its order. `at` is where in
/// the line that stands; of an instruction that is said by values, where among the operands.
struct WordPieces {
  static constexpr unsigned max_registers = 5, max_numbers = 2;

  const char* line;  ///< null: an instruction that is said by values
  u8 register_count = 0, number_count = 0;
  struct {
    u8 at, number;
  } registers[max_registers];
  struct {
    u8 at;
    i32 value;
  } numbers[max_numbers];

  /// Which of the registers, or of the numbers, stands at `at`; -1: none does.
  int register_at(unsigned at) const {
    for (unsigned i = 0; i < register_count; ++i)
      if (registers[i].at == at) return int(i);
    return -1;
  }
  int number_at(unsigned at) const {
    for (unsigned i = 0; i < number_count; ++i)
      if (numbers[i].at == at) return int(i);
    return -1;
  }
  bool names_one_twice() const {
    u32 seen = 0;
    for (unsigned i = 0; i < register_count; ++i) {
      const u32 bit = u32(1) << registers[i].number;
      if (seen & bit) return true;
      seen |= bit;
    }
    return false;
  }
};

/// How such an instruction holds them: which numbers and registers of its shape are encoded as these are, and where.
struct WordFields {
  static constexpr unsigned max_parts = 2;

  struct Register {
    u8 max;     ///< up to this number
    u8 bit[2];  ///< where its lowest bit is, and as many above it as `max` has; `no_bit`: nowhere
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
    Part parts[max_parts];  ///< behind one of no width there is none
  };

  bool known = false;     ///< false: nothing can be said
  bool distinct = false;  ///< the registers must differ, or the instruction has to be looked at
  u8 size = 4;            ///< bytes of the instruction; 0: a branch that may grow, or a load of a literal
  bool halves = false;    ///< of four bytes, the upper two come first
  bool alone = false;     ///< Emitter::stands_alone
  bool form_holds_register = false;  ///< of size 0: the number of the only register is added to the form
  Register registers[WordPieces::max_registers];
  Number numbers[WordPieces::max_numbers];
};

}  // namespace xas
