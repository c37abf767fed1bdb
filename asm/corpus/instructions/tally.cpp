// SPDX-License-Identifier: Apache-2.0
#include "asm/corpus/instructions/tally.h"

#include <fmt/ranges.h>

namespace xas::corpus {

void Tally::count(const Form& form, u64 line, Agreement agreement) {
  const auto [place, is_new] = index_.try_emplace(form.hash, forms_.size());
  if (is_new) forms_.push_back({.form = form, .row = {}});
  Count& count = forms_[place->second];
  ++count.lines;
  count.by_gnu += agreement.by_gnu;
  count.by_llvm += agreement.by_llvm;
  count.row.add(line, agreement);
}

void Tally::write_coverage(Output& out) const {
  for (const Count& c : forms_)
    out.print("{}\t{}\t{}\t{}\t{}\t{}\n", c.form.mnemonic, c.form.text, fmt::join(c.form.features, ","), c.lines,
              c.by_gnu, c.by_llvm);
}

void Tally::write_table(Output& out) const {
  for (const Count& c : forms_) c.row.write(c.form.hash, out);
}

}  // namespace xas::corpus
