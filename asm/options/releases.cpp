// SPDX-License-Identifier: Apache-2.0
// Which releases --compat means without a version, and without --compat. XAS_COMPAT, a list of names with commas, is
// chosen when xas is built.
#include "asm/options/releases.h"

#include <iterator>

namespace xas {

namespace {

/// Where the release of this name stands in `releases`; their number if there is none.
constexpr std::size_t number_of(std::string_view name) {
  std::size_t n = 0;
  while (n < std::size(releases) && releases[n].name != name) ++n;
  return n;
}

const Release* named(std::string_view name) {
  const std::size_t n = number_of(name);
  return n < std::size(releases) ? &releases[n] : nullptr;
}

/// The `index`-th name of XAS_COMPAT; empty behind the last.
constexpr std::string_view chosen_name(unsigned index) {
  std::string_view rest = XAS_COMPAT;
  for (;; --index) {
    const std::size_t comma = rest.find(',');
    if (index == 0) return rest.substr(0, comma);
    if (comma == rest.npos) return {};
    rest.remove_prefix(comma + 1);
  }
}

constexpr bool all_chosen_exist() {
  for (unsigned i = 0; i == 0 || !chosen_name(i).empty(); ++i) {
    if (number_of(chosen_name(i)) == std::size(releases)) return false;
  }
  return true;
}
static_assert(all_chosen_exist(), "XAS_COMPAT names a release that there is not");

}  // namespace

const Release& default_release() { return *named(chosen_name(0)); }

const Release* find_release(std::string_view name) {
  if (const Release* const r = named(name)) return r;
  for (unsigned i = 0; !chosen_name(i).empty(); ++i) {
    const Release* const r = named(chosen_name(i));
    if (r->family == name) return r;
  }
  const Release* newest = nullptr;
  for (const Release& r : releases) {
    if (r.family == name) newest = &r;
  }
  return newest;
}

}  // namespace xas
