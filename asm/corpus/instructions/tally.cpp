#include "asm/corpus/instructions/tally.h"

namespace xas::corpus {

void Tally::count(const Form& form, Agreement agreement) {
  if (forms_.empty() || forms_.back().form.hash != form.hash) forms_.push_back({form});
  Count& count = forms_.back();
  ++count.lines;
  count.by_gnu += agreement.by_gnu;
  count.by_llvm += agreement.by_llvm;
}

void Tally::write_coverage(Output& out) const {
  for (const Count& c : forms_)
    out.print("{}\t{}\t{}\t{}\t{}\t{}\n", c.form.mnemonic, c.form.text, fmt::join(c.form.features, ","), c.lines,
              c.by_gnu, c.by_llvm);
}

}  // namespace xas::corpus
