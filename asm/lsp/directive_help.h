// SPDX-License-Identifier: Apache-2.0
// A line about each directive, for editors.
#pragma once

#include <span>
#include <string_view>

namespace xas::lsp {

struct DirectiveHelp {
  std::string_view names;     ///< with dots, blanks between them
  std::string_view operands;  ///< in brackets what may be left out
  std::string_view text;      ///< what it does, in one line
};

std::span<const DirectiveHelp> directive_help();

/// The line about a directive, in any case; null if there is none.
const DirectiveHelp* find_directive_help(std::string_view name);

}  // namespace xas::lsp
