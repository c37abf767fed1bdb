// SPDX-License-Identifier: Apache-2.0
// The reference assemblers, asked about lines (--check).
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asm/corpus/instructions/assemble.h"

namespace xas::corpus {

/// An assembler that is run for each batch of lines.
class Reference {
 public:
  /// `program`: as, llvm-mc, or a path of either; the name tells which. For `as` the target's own is taken.
  Reference(const Request& request, std::string program);
  /// Throws if it is neither GNU as nor llvm-mc, or assembles nothing for the target.
  void check();
  ~Reference();
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  bool is_llvm() const { return is_llvm_; }
  /// Lines of one group. What it returns is good until the next call.
  std::span<const Assembled> assemble(std::span<const std::string_view> lines, unsigned group);

 private:
  enum class Outcome : u8 { made, refused, broken };
  std::vector<std::string> command(const Dialect& dialect) const;
  void assemble_part(std::span<const std::string_view> lines, std::span<Assembled> result, const Dialect& dialect);
  Outcome run(const Dialect& dialect, Labelled& labelled, std::span<const std::string_view> lines,
              std::vector<bool>& dropped);

  const Request& request_;
  std::string program_;
  bool is_llvm_;
  std::string folder_;  ///< for the text, the object and the messages
  /// Each part's object, and what refers to it.
  struct Part {
    Labelled labelled;
    std::vector<u8> object;
  };
  std::deque<Part> parts_;
  std::vector<Assembled> result_;
};

/// Whether both come to the same bytes where no relocation is.
bool same_code(Machine machine, const Assembled& a, const Assembled& b);

}  // namespace xas::corpus
