// SPDX-License-Identifier: Apache-2.0
// The features of a form as names.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "targets/needs.h"

namespace xas::corpus {

/// The names among them that are words of the user's: not those in parentheses.
template <class Names>
std::vector<std::string_view> user_features(const Names& names) {
  std::vector<std::string_view> features;
  for (std::string_view name : names)
    if (!name.starts_with('(')) features.push_back(name);
  return features;
}

/// Adds every feature that the needs (targets/needs.h) name, each once, but for those that are no words of the user's.
template <class Names>
void add_features(std::vector<std::string_view>& features, const u16* needs, const Names& names) {
  for (; *needs != atoms::end_of_needs; ++needs) {
    for (; *needs != atoms::end_of_needs; ++needs) {
      const std::string_view name = names[*needs];
      if (!name.starts_with('(') && std::find(features.begin(), features.end(), name) == features.end())
        features.push_back(name);
    }
  }
}

}  // namespace xas::corpus
