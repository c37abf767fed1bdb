// SPDX-License-Identifier: Apache-2.0
// Shapes (line_shape.h) of instructions that are said by values.
#pragma once

#include "targets/line_shape.h"
#include "xas/stream.h"

namespace xas {

/// An instruction of values of a target whose instructions are words. What is not taken out of an operand is the same
/// in all instructions of the shape.
struct TypedWordShape {
  static constexpr unsigned max_operands = 4;
  /// What is taken out of an operand: the number of its register (of an address: the base) and of its index, a number
  /// (that beside a symbol, too), a symbol; and a short text, which is compared letter by letter.
  enum Part : u8 { base = 1, index = 2, constant = 4, named = 8, text = 16 };

  WordPieces pieces;
  u8 taken[max_operands];                       ///< parts, but for texts
  u8 last_register[WordPieces::max_registers];  ///< what each of the pieces may be at most
  ShapeSymbol symbol;
};

/// Numbers that are as large in the text of a line stay there.
inline constexpr i64 largest_taken = 999'999'999;
constexpr bool is_taken(i64 v) { return v <= largest_taken && v >= -largest_taken; }

}  // namespace xas
