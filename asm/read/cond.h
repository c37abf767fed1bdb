// SPDX-License-Identifier: Apache-2.0
// Conditional assembly: .if and its kin.
#pragma once

#include <vector>

#include "asm/diagnostics/diag.h"
#include "targets/text.h"

namespace xas {

class Reader;
enum class ConditionalKind : u32;

/// One open .if
struct Conditional {
  SourceLoc loc;
  bool taken = false;   ///< some branch of it has been assembled, or none will be
  bool active = false;  ///< the current branch is assembled
  SourceLoc else_loc = 0;
};
/// Those that are open, the innermost last.
using Conditionals = std::vector<Conditional>;

/// Whether a number fulfils the condition of a directive that compares with zero.
bool comparison(ConditionalKind kind, i64 value);

/// The condition at p, if it is the kind that macros make: number [ operator number ], and nothing else in the line.
/// Where the line ends; null: it is another one.
const char* plain_condition(const CharTable& chars, const char* p, i64& value);

/// Passes text that is not to be assembled, up to and with the directive that ends that, or to the end of the buffer.
/// The cursor stands at the end of a statement, or at the start of a buffer's text.
void skip_inactive(Reader& reader);

/// Reports conditionals that are still open at the end of all input, and forgets them.
void finish_conditionals(Reader& reader);

}  // namespace xas
