// SPDX-License-Identifier: Apache-2.0
// The directives that only one target has, by name.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "targets/nearest_name.h"
#include "targets/text.h"

namespace xas {

class Emitter;

template <class Target>
struct DirectiveRow {
  std::string_view name;
  /// Reads what stands behind the name, at p. The argument tells directives apart that share a function.
  void (Target::*read)(const char*& p, unsigned argument, Emitter& out);
  unsigned argument = 0;
};

/// The row of a name, in whatever case it is written; null if there is none.
template <class Target>
const DirectiveRow<Target>* find_directive(std::span<const DirectiveRow<Target>> rows, std::string_view name) {
  const auto row =
      std::ranges::find_if(rows, [name](const auto& r) { return text::equals_ignoring_case(name, r.name); });
  return row == rows.end() ? nullptr : &*row;
}

/// Has the target read a directive of the table; false if the name is none of its.
template <class Target>
bool read_directive(Target& target, std::span<const DirectiveRow<Target>> rows, std::string_view name, const char*& p,
                    Emitter& out) {
  const auto* const row = find_directive(rows, name);
  if (row) (target.*row->read)(p, row->argument, out);
  return row;
}

template <class Target>
void offer_directives(std::span<const DirectiveRow<Target>> rows, NearestName& nearest) {
  for (const auto& row : rows) nearest.offer(row.name);
}

}  // namespace xas
