// SPDX-License-Identifier: Apache-2.0
// How directives are written and what they do, for messages and editors.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

namespace xas {

/// Directives that are written alike.
struct DirectiveUsage {
  std::string_view names;     ///< with dots, in lower case, blanks between them
  std::string_view operands;  ///< in brackets what may be left out; empty: there are none
  std::string_view summary;   ///< what it does, in one line

  /// Calls `take(name)` for each of the names.
  template <class Take>
  void each_name(const Take& take) const {
    for (std::string_view left = names; !left.empty();) {
      const std::size_t end = std::min(left.find(' '), left.size());
      take(left.substr(0, end));
      left.remove_prefix(std::min(end + 1, left.size()));
    }
  }
};

/// Of all directives, those of one target or object format included.
std::span<const DirectiveUsage> directive_usages();

/// That of a directive, in whatever case its name is written; null if there is none.
const DirectiveUsage* find_directive_usage(std::string_view name);

}  // namespace xas
