// SPDX-License-Identifier: Apache-2.0
// Which reference assemblers make of a line what xas makes of it: what was found when the release was tested, kept as a
// table of forms with their exceptions (agreement/*.inc, which --record writes).
#pragma once

#include <unordered_map>
#include <vector>

#include "asm/corpus/instructions/form.h"

namespace xas::corpus {

/// Which reference assemblers make the same of a line; of an invalid line, refuse it too.
struct Agreement {
  bool by_gnu = false, by_llvm = false;
  bool known = false;
};

/// The table for the lines of a request.
class AgreementTable {
 public:
  explicit AgreementTable(const Request& request);
  Agreement find(u64 form, u64 line) const;

 private:
  bool known_ = false;  ///< lines like these are in a table
  std::unordered_map<u64, const u32*> rows_;
};

/// What the lines of one form came to, for a row of the table.
class AgreementRow {
 public:
  void add(u64 line, Agreement agreement) { lines_.push_back({u32(line >> 32), agreement}); }
  /// A line of the table; nothing if both assemblers agree on all lines, which is what forms without a row mean.
  void write(u64 form, Output& out) const;

 private:
  struct Line {
    u32 id;
    Agreement agreement;
  };
  std::vector<Line> lines_;
};

}  // namespace xas::corpus
