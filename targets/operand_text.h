// SPDX-License-Identifier: Apache-2.0
// How messages quote operands, and list what would be taken in their place.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "targets/text.h"

namespace xas {

/// The operand that begins at p as it is written.
template <class Words>
std::string_view written_operand(const char* p, const Words& words) {
  const char* q = p;
  unsigned depth = 0;
  for (; !words.is_end(q); ++q) {
    if (*q == '[' || *q == '{' || *q == '(')
      ++depth;
    else if ((*q == ']' || *q == '}' || *q == ')') && (depth == 0 || --depth == 0)) {
      if (*p == '[' || *p == '{' || *p == '(') ++q;
      break;
    } else if (*q == ',' && depth == 0)
      break;
  }
  while (q > p && (q[-1] == ' ' || q[-1] == '\t' || q[-1] == '\r')) --q;
  constexpr std::ptrdiff_t longest = 40;
  return {p, std::size_t(std::min(q - p, longest))};
}

/// The same of a register or another word: without what follows it.
template <class Words>
std::string_view written_word(const char* p, const Words& words) {
  const std::string_view all = written_operand(p, words);
  std::size_t n = 0;
  while (n < all.size() && (text::is_name_char(all[n]) || all[n] == '/' || (n == 0 && all[n] == '%'))) ++n;
  return n ? all.substr(0, n) : all;
}

/// An operand in a message; one that is said by values has no text.
inline std::string quoted(std::string_view operand) {
  return operand.empty() ? "this operand" : fmt::format("'{}'", operand);
}

/// "a, b or c"; at most `max_shown` of them.
inline std::string alternatives(const std::vector<std::string>& all, std::size_t max_shown = 8) {
  std::string text;
  const std::size_t shown = std::min(all.size(), max_shown);
  for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : i + 1 < all.size() ? ", " : " or ") + all[i];
  return text + (shown < all.size() ? ", ..." : "");
}

inline void add_once(std::vector<std::string>& all, std::string text) {
  if (!text.empty() && std::ranges::find(all, text) == all.end()) all.push_back(std::move(text));
}

}  // namespace xas
