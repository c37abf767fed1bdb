// SPDX-License-Identifier: Apache-2.0
// Conditional assembly: .if and its kin.
#pragma once

#include <vector>

#include "asm/diagnostics/diag.h"

namespace xas {

class Program;
class Reader;

enum class ConditionalKind : u32 {
  if_ne,
  if_eq,
  if_ge,
  if_gt,
  if_le,
  if_lt,
  if_blank,
  if_not_blank,
  if_same,
  if_not_same,
  if_equal_strings,
  if_unequal_strings,
  if_defined,
  if_not_defined,
  otherwise,
  otherwise_if,
  end,
};

/// One open .if
struct Conditional {
  SourceLoc loc;
  bool taken = false;   ///< some branch of it has been assembled, or none will be
  bool active = false;  ///< the current branch is assembled
  SourceLoc else_loc = 0;
};
/// Those that are open, the innermost last.
using Conditionals = std::vector<Conditional>;

/// Takes the conditional at `text` if it is spelled as most are: `.if number [ operator number ]`, `.else` or `.endif`.
/// What it leaves out is passed with it, and has to be one branch. `operand` is what follows the name, and `newline`
/// where the line ends, if that is known. Where the last line ends that is taken; null, with nothing done: the
/// directive is to be read (directive_conditional). What stands here is assembled, and MRI mode is off.
const char* plain_conditional(const Program& program, Conditionals& open, ConditionalKind kind, const char* text,
                              const char* operand, const char* newline);

/// Passes text that is not to be assembled, up to and with the directive that ends that, or to the end of the buffer.
/// The cursor stands at the end of a statement, or at the start of a buffer's text.
void skip_inactive(Reader& reader);

/// Reports conditionals that are still open at the end of all input, and forgets them.
void finish_conditionals(Reader& reader);

/// .if and all its kin; `kind` is a ConditionalKind.
void directive_conditional(Reader& reader, u32 kind);

}  // namespace xas
