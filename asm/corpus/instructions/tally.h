// Counts lines: which forms there are, and what the reference assemblers make of them.
#pragma once

#include <vector>

#include "asm/corpus/instructions/reference.h"

namespace xas::corpus {

class Tally {
 public:
  void count(const Form& form, Agreement agreement);
  /// A line a form, with tabs between: mnemonic, form, features, lines, those on which GNU as agrees, and llvm-mc.
  void write_coverage(Output& out) const;

 private:
  struct Count {
    Form form;
    u64 lines = 0, by_gnu = 0, by_llvm = 0;
  };

  std::vector<Count> forms_;
};

}  // namespace xas::corpus
