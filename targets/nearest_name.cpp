// SPDX-License-Identifier: Apache-2.0
#include "targets/nearest_name.h"

#include <algorithm>
#include <bit>

#include "xas/types.hpp"

namespace xas {

unsigned edit_distance(std::string_view a, std::string_view b, unsigned limit) {
  constexpr std::size_t longest = 63;
  if (a.size() > b.size() + limit || b.size() > a.size() + limit || b.size() > longest) return limit + 1;
  unsigned rows[3][longest + 1];  // of this character of a, of the one before, of the one before that
  unsigned *row = rows[0], *above = rows[1], *above2 = rows[2];
  for (unsigned j = 0; j <= b.size(); ++j) row[j] = j;
  for (unsigned i = 1; i <= a.size(); ++i) {
    std::swap(above, above2);
    std::swap(row, above);
    row[0] = i;
    unsigned least = i;
    for (unsigned j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], above2[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (least > limit) return limit + 1;
  }
  return std::min(row[b.size()], limit + 1);
}

namespace {

/// A bit for each character that is there.
u64 characters(std::string_view s) {
  u64 mask = 0;
  for (const char c : s) mask |= u64(1) << (c & 63);
  return mask;
}

}  // namespace

NearestName::NearestName(std::string_view wanted)
    : wanted_(wanted),
      limit_(wanted.size() < 5   ? 1
             : wanted.size() < 9 ? 2
                                 : 3) {}

/// More edits are needed than are allowed, which the characters tell alone.
bool NearestName::is_far(std::string_view name) const {
  if (name.size() > wanted_.size() + limit_ || wanted_.size() > name.size() + limit_) return true;
  // An edit brings in at most one character that was not there.
  const u64 asked = characters(wanted_), has = characters(name);
  return unsigned(std::popcount(asked & ~has)) > limit_ || unsigned(std::popcount(has & ~asked)) > limit_;
}

void NearestName::offer(std::string_view name) {
  constexpr std::size_t telling = 4;
  const bool completes = wanted_.size() >= telling && name.starts_with(wanted_);
  if (!completes && is_far(name)) return;
  const unsigned distance = completes ? 1 : edit_distance(wanted_, name, limit_);
  if (distance > limit_) return;
  const auto is_own = [&](char c) { return wanted_.find(c) == wanted_.npos; };
  const unsigned own = name.starts_with(wanted_) ? 0 : unsigned(std::ranges::count_if(name, is_own));
  constexpr std::size_t too_short = 2;
  if (own && wanted_.size() <= too_short) return;
  constexpr unsigned longest = 255;
  const unsigned size = std::min(unsigned(name.size()), longest);
  const bool ends_otherwise = name.back() != wanted_.back();
  const unsigned cost =
      distance << 17 | own << 9 | unsigned(ends_otherwise) << 8 | (own || completes ? size : longest - size);
  if (cost >= cost_) return;
  cost_ = cost;
  best_ = name;
}

}  // namespace xas
