// SPDX-License-Identifier: Apache-2.0
// What a form needs: alternatives of features, all of which must be met by one of their words. The generator writes
// them one after the other, each ended by 0xFFFF, the whole by one more.
#pragma once

#include <fmt/format.h>

#include <string>

#include "xas/types.hpp"

namespace xas::atoms {

inline constexpr u16 end_of_needs = 0xFFFF;

/// Whether the features that are selected are enough.
template <class Features>
bool are_met(const u16* needs, const Features& selected) {
  while (*needs != end_of_needs) {
    bool any = false;
    for (; *needs != end_of_needs; ++needs) any |= selected[*needs];
    if (!any) return false;
    ++needs;
  }
  return true;
}

/// Whether the needs are met, or would be with features that a user can select: those that are not in parentheses.
template <class Features, class Names>
bool can_be_met(const u16* needs, const Features& selected, const Names& names) {
  while (*needs != end_of_needs) {
    bool any = false;
    for (; *needs != end_of_needs; ++needs) any |= selected[*needs] || !names[*needs].starts_with('(');
    if (!any) return false;
    ++needs;
  }
  return true;
}

/// What is missing, in words. Features in parentheses are no words of the user's.
template <class Features, class Names>
std::string missing_needs(const u16* needs, const Features& selected, const Names& names) {
  std::string text;
  while (*needs != end_of_needs) {
    std::string clause;
    bool any = false;
    for (; *needs != end_of_needs; ++needs) {
      any |= selected[*needs];
      if (names[*needs].starts_with('(')) continue;
      clause += fmt::format("{}{}", clause.empty() ? "" : " or ", names[*needs]);
    }
    ++needs;
    if (!any) text += fmt::format("{}{}", text.empty() ? "" : ", ", clause);
  }
  return text.empty() ? "a feature that is not selected" : text;
}

}  // namespace xas::atoms
