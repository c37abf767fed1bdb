// SPDX-License-Identifier: Apache-2.0
// An Intel operand that has been read (parse_intel.cpp), before it is known what it is (intel_operand.cpp).
#pragma once

#include "targets/x86/x86.h"

namespace xas::x86 {

/// What an expression comes to: numbers and symbols, and up to two registers with their scales.
struct IntelTerm {
  Value value;
  const Reg* reg[2] = {};
  i64 scale[2] = {};  ///< 0: none was written
  unsigned regs = 0;
  bool bracket = false;  ///< or a segment
  bool offset = false;   ///< OFFSET, or SHORT and its like
  bool joined = false;   ///< an operator was applied to symbols, but for a number added to one
};

/// The whole operand, but for its segment, which is in the Operand already.
struct IntelExpression {
  IntelTerm term;
  u64 memory = 0;                        ///< class that PTR or BCST asks for; 0: none
  bool broadcast = false;                ///< BCST
  const char* loose_register = nullptr;  ///< a register that stands outside of brackets
};

}  // namespace xas::x86
