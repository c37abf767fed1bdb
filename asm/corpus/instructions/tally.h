// SPDX-License-Identifier: Apache-2.0
// Counts lines: which forms there are, and what the reference assemblers make of them.
#pragma once

#include <unordered_map>
#include <vector>

#include "asm/corpus/instructions/agreement.h"

namespace xas::corpus {

class Tally {
 public:
  /// A line of this form, with the hash of the line.
  void count(const Form& form, u64 line, Agreement agreement);
  /// A line a form, with tabs between: mnemonic, form, features, lines, those on which GNU as agrees, and llvm-mc.
  void write_coverage(Output& out) const;
  /// The table of agreement.h.
  void write_table(Output& out) const;

 private:
  struct Count {
    Form form;
    u64 lines = 0, by_gnu = 0, by_llvm = 0;
    AgreementRow row;
  };

  std::vector<Count> forms_;
  std::unordered_map<u64, std::size_t> index_;  ///< of a form's hash; a form may come in several pieces
};

}  // namespace xas::corpus
