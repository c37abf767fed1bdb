// SPDX-License-Identifier: Apache-2.0
// Symbols as targets know them, by their number, the values that expressions come to, and their operators.
#pragma once

#include "xas/types.hpp"

namespace xas {

using SymbolId = u32;
inline constexpr SymbolId no_symbol = ~u32(0);
/// "The current location" inside a Value that has not been pinned to a symbol yet.
inline constexpr SymbolId dot_symbol = ~u32(0) - 1;

/// What an expression came to: add - sub + constant. Anything that does not fit this form (products of symbols,
/// nested differences, ...) has been turned by the expression reader into an anonymous symbol that stands for it,
/// so that every later stage has one form to deal with.
struct Value {
  i64 constant = 0;
  SymbolId add = no_symbol;
  SymbolId sub = no_symbol;
  u16 modifier = 0;  ///< relocation modifier on `add`, numbered by the target; 0 is none

  bool is_constant() const { return add == no_symbol && sub == no_symbol; }
  bool is_symbol_plus_constant() const { return add != no_symbol && sub == no_symbol; }
};

/// What operators of expressions do.
enum class ExprOp : u8 {
  leaf,  ///< a Value
  neg,
  bit_not,
  log_not,
  mul,
  div,
  mod,
  shl,
  shr,
  bit_or,
  bit_and,
  bit_xor,
  bit_or_not,
  add,
  sub,
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  log_and,
  log_or,
};

}  // namespace xas
