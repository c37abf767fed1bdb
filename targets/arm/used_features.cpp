// SPDX-License-Identifier: Apache-2.0
// Which features the instructions that were written have used, and the first architecture that has them all: for build
// attributes.
#include <algorithm>
#include <initializer_list>
#include <utility>

#include "targets/arm/features.h"
#include "targets/needs.h"

namespace xas::arm {

namespace {

/// Whether GNU as counts a feature when it looks for the architecture.
bool counts(u16 feature) {
  constexpr int tells_nothing[] = {feature_number("mclass"), feature_number("os"),  feature_number("wmmx"),
                                   feature_number("wmmx2"),  feature_number("cde"), feature_number("mve"),
                                   feature_number("mve.fp"), feature_number("rdma")};
  return !arm_feature_names[feature].starts_with('(') &&
         std::ranges::find(tells_nothing, feature) == std::end(tells_nothing);
}

/// Of floating point what it counts with the core's.
FeatureSet core_features() {
  FeatureSet set;
  set.set(unsigned(feature_number("bf16")));
  return set;
}

}  // namespace

bool ArmTarget::has_used(bool thumb) const { return has_used(thumb, false); }
bool ArmTarget::has_used_floating(bool thumb) const { return has_used(thumb, true); }

bool ArmTarget::has_used(bool thumb, bool floating) const {
  const FeatureSet units = floating_features() & ~core_features();
  // In A32 what needs more than a unit counts with the core's.
  const auto is_of_unit = [&](const u16* needs) {
    if (*needs == atoms::end_of_needs || !units[*needs]) return false;
    for (; !thumb && *needs != atoms::end_of_needs; ++needs) {
      if (!units[*needs] && counts(*needs)) return false;
      while (*needs != atoms::end_of_needs) ++needs;
    }
    return true;
  };
  const unsigned set = thumb ? 2 : 1;
  if (!floating && (used_.it & set)) return true;
  for (unsigned i = 0; i < std::size(arm_needs_start); ++i) {
    if (!(used_.needs[i] & set)) continue;
    const u16* needs = arm_needs + arm_needs_start[i];
    if (is_of_unit(needs) == floating) return true;
  }
  return false;
}

/// Whether a row needs a feature; of several that would do, the first is the one that counts.
static bool asks_for(unsigned needs, int feature) {
  for (const u16* p = arm_needs + arm_needs_start[needs]; *p != atoms::end_of_needs; ++p) {
    if (*p == feature) return true;
    while (*p != atoms::end_of_needs) ++p;
  }
  return false;
}

bool ArmTarget::used(std::string_view feature, bool thumb) const {
  const int f = feature_number(feature);
  if (used_.thumb2 && thumb && f == int(feature_thumb2)) return true;
  for (unsigned i = 0; i < std::size(arm_needs_start); ++i)
    if ((used_.needs[i] & (thumb ? 2 : 1)) && asks_for(i, f)) return true;
  return false;
}

/// Half precision that is not of vectors but for vfmal and vfmsl. In Thumb it is Armv8.1-M's to GNU as.
static bool is_scalar_half(unsigned needs) {
  constexpr int half = feature_number("fullfp16"), product = feature_number("fp16fml");
  constexpr int vectors = feature_number("neon");
  return asks_for(needs, product) || (asks_for(needs, half) && !asks_for(needs, vectors));
}

constexpr unsigned feature_v81m_main = unsigned(feature_number("v8.1m.main"));

/// What instructions that were used need, but for what is of no account to GNU as.
FeatureSet ArmTarget::used_features() const {
  FeatureSet set;
  for (unsigned i = 0; i < std::size(arm_needs_start); ++i) {
    if (!used_.needs[i]) continue;
    if ((used_.needs[i] & 2) && is_scalar_half(i)) set.set(feature_v81m_main);
    for (const u16* p = arm_needs + arm_needs_start[i]; *p != atoms::end_of_needs; ++p) {
      if (counts(*p)) set.set(*p);
      while (*p != atoms::end_of_needs) ++p;
    }
  }
  set &= ~floating_features() | core_features();
  set[feature_thumb2] = set[feature_thumb2] || used_.thumb2;
  set[feature_arm] = has_used(false) || used("v1", true);
  set[feature_thumb] = set[feature_thumb] || has_used(true);
  set[feature_v6t2] = set[feature_v6t2] || has_used_floating(true);
  return set;
}

namespace {

/// An architecture in which GNU as looks for the instructions that were used.
struct Candidate {
  consteval Candidate(std::string_view name, u8 tag, char profile_letter,
                      std::initializer_list<std::string_view> with = {})
      : architecture(unsigned(feature_number(name))), number(tag), profile(profile_letter) {
    for (const std::string_view f : with) also[count++] = unsigned(feature_number(f));
  }
  unsigned architecture;
  u8 number;                ///< Tag_CPU_arch
  char profile;             ///< 0: none
  unsigned also[2] = {};    ///< what GNU as counts with it, beside features.isa
  unsigned count = 0;
};

/// In the order in which it looks. Armv7 by itself is what the three profiles have in common.
constexpr Candidate candidates[] = {
    {"armv3m", 0, 0},
    {"armv4", 1, 0},
    {"armv4t", 2, 0},
    {"armv5t", 3, 0},
    {"armv5te", 4, 0},
    {"armv5tej", 5, 0},
    {"armv6", 6, 0},
    {"armv6", 7, 0, {"trustzone"}},
    {"armv6t2", 8, 0, {"v7clrex", "trustzone"}},
    {"armv6-m", 11, 'M'},
    {"armv7-m", 10, 0, {"trustzone"}},
    {"armv7-a", 10, 'A', {"trustzone", "hwdiv"}},
    {"armv7ve", 10, 'A'},
    {"armv8.9-a", 14, 'A'},
    {"armv8-r", 15, 'R'},
    {"armv8-m.base", 16, 'M'},
    {"armv8-m.main", 17, 'M', {"dsp"}},
    {"armv8.1-m.main", 21, 'M', {"dsp", "pacbti"}},
};

}  // namespace

std::pair<u8, char> ArmTarget::used_architecture() const {
  const FeatureSet wanted = used_features();
  for (const Candidate& c : candidates) {
    FeatureSet has;
    enable(has, c.architecture);
    for (unsigned i = 0; i < c.count; ++i) has.set(c.also[i]);
    if ((wanted & ~has).any()) continue;
    constexpr u8 v6m = 11, v6sm = 12;
    return {c.number == v6m && used("os", true) ? v6sm : c.number, c.profile};
  }
  return {0, 0};
}

}  // namespace xas::arm
