// SPDX-License-Identifier: Apache-2.0
// Tests of the generator: tables with one mistake each, and the words it must be reported with.
#pragma once

#include <span>

#include "targets/isagen/notation.h"

namespace xas::isagen {

struct TableCase {
  std::string_view table;
  std::string_view error;  ///< empty: there is none
};

/// Returns the number of cases that fail. `read` makes a table of files, `check_reachable` does the rest of the checks.
template <class Read, class Check>
int run_table_cases(std::string_view name, std::span<const TableCase> cases, const Read& read,
                    const Check& check_reachable) {
  int failed = 0;
  for (const TableCase& c : cases) {
    auto table = read({{"table", std::string(c.table)}});
    if (table.errors.empty()) check_reachable(table);
    const std::string got = table.errors.empty() ? "" : table.errors[0].message;
    if (c.error.empty() ? got.empty() : got.find(c.error) != std::string::npos) continue;
    ++failed;
    fmt::print("FAIL: {}\n  expected: {}\n  got:      {}\n", c.table, c.error, got);
  }
  fmt::print("isagen {}: {} of {} table checks pass\n", name, cases.size() - std::size_t(failed), cases.size());
  return failed;
}

}  // namespace xas::isagen
