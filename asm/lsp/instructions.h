// SPDX-License-Identifier: Apache-2.0
// The instructions of a target, as its tables have them: names to complete, and what is shown of one.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asm/corpus/instructions/form.h"
#include "targets/target.h"

namespace xas::lsp {

/// One form of an instruction.
struct InstructionForm {
  std::string text;      ///< the mnemonic, kinds of operands and the encoding
  std::string features;  ///< which it needs, with commas; empty: none
};

/// The instructions of one machine in one syntax.
class Instructions {
 public:
  explicit Instructions(const corpus::Request& request);

  /// The forms of a mnemonic, or of the one it is made of: `movl` is `mov` with a suffix, `addeq` is `add` with a
  /// condition. `name` becomes that. Empty if there is none.
  std::span<const InstructionForm> find(std::string_view mnemonic, std::string& name) const;

  /// All mnemonics, in alphabetical order.
  const std::map<std::string, std::vector<InstructionForm>, std::less<>>& all() const { return forms_; }

 private:
  bool is_arm_;
  std::map<std::string, std::vector<InstructionForm>, std::less<>> forms_;
};

/// Which machine's instructions a target reads first.
corpus::Request instructions_of(const TargetOptions& target, bool intel_syntax, bool llvm);

/// The names of a target's registers, as its syntax writes them.
std::vector<std::string> register_names(const TargetOptions& target, bool intel_syntax);

}  // namespace xas::lsp
