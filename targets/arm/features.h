// SPDX-License-Identifier: Apache-2.0
// Features by their names, and sets of them: for what may be used (features.cpp) and what has been (used_features.cpp).
#pragma once

#include "targets/arm/arm.h"
#include "targets/arm/tables.h"

namespace xas::arm {

static_assert(std::size(arm_feature_names) <= max_features && std::size(arm_needs_start) <= max_needs);

/// -1: there is none of that name.
constexpr int feature_number(std::string_view name) {
  for (unsigned i = 0; i < std::size(arm_feature_names); ++i)
    if (arm_feature_names[i] == name) return int(i);
  return -1;
}

inline constexpr int first_floating = feature_number("fpregs"), last_floating = feature_number("jsconv");
inline constexpr int first_architecture = feature_number("armv2");
inline constexpr unsigned feature_arm = unsigned(feature_number("arm")),
                          feature_thumb = unsigned(feature_number("v4t"));
inline constexpr unsigned feature_thumb2 = unsigned(feature_number("thumb2"));
inline constexpr unsigned feature_v6t2 = unsigned(feature_number("v6t2"));

inline FeatureSet floating_features() {
  FeatureSet set;
  for (auto i = std::size_t(first_floating); i <= last_floating; ++i) set.set(i);
  return set;
}

/// Adds a feature and all that it brings along.
inline void enable(FeatureSet& set, unsigned feature) {
  if (set[feature]) return;
  set.set(feature);
  for (const auto& [from, to] : arm_feature_implies)
    if (from == feature) enable(set, to);
}

}  // namespace xas::arm
