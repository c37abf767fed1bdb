// SPDX-License-Identifier: Apache-2.0
// Shapes (line_shape.h) of instructions that are said by values.
#pragma once

#include "targets/line_shape.h"
#include "xas/stream.h"

namespace xas {

/// An instruction of values. What is not taken out of an operand is the same in all instructions of the shape, and no
/// operand has a segment, a mask, a broadcast, a size or a difference of symbols.
struct TypedShape {
  static constexpr unsigned max_operands = 4;
  /// What is taken out of an operand: the number of its register (of an address: the base) and of its index, a number
  /// (that beside a symbol, too), a symbol.
  enum Part : u8 { base = 1, index = 2, constant = 4, named = 8 };

  u8 taken[max_operands];  ///< parts
  ShapeSymbol symbol;
};

/// Of a target whose instructions are words.
struct TypedWordShape : TypedShape {
  WordPieces pieces;
  u8 last_register[WordPieces::max_registers];  ///< what each of the pieces may be at most
};

/// Of a target whose instructions are of any size.
struct TypedBytesShape : TypedShape {
  InstructionShape line;  ///< what a line has taken out; without its key, its end and its name
  struct {
    u8 group;
    u8 alike;  ///< which of the group may stand there, a bit for each
  } registers[InstructionFields::max_registers];
  struct Numbers {
    i64 low, high;
  };
  Numbers displacements, immediates;  ///< which have the same form, if the shape has one
};

/// Numbers that are as large in the text of a line stay there.
inline constexpr i64 largest_taken = 999'999'999;
constexpr bool is_taken(i64 v) { return v <= largest_taken && v >= -largest_taken; }

}  // namespace xas
