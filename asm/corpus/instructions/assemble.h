// SPDX-License-Identifier: Apache-2.0
// Lines to bytes: by xas itself, or by a program that is asked for comparison.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asm/corpus/instructions/form.h"
#include "objwriter/read/object.h"
#include "xas/xas.hpp"

namespace xas::corpus {

struct Relocation {
  u32 offset = 0;  ///< from the start of the instruction
  u32 type = 0;    ///< the number that the target's ELF supplement gives it
  i64 addend = 0;
  std::string_view symbol;
};

/// What one line came to. Everything borrows from the assembly.
struct Assembled {
  bool accepted = false;
  std::span<const u8> bytes;
  std::span<const Relocation> relocations;
  std::string_view message;  ///< the first error, if it is not accepted
  u32 column = 0;            ///< of the error, from 1
};

/// What an assembler has to be told for a target, and what stands in front of the lines.
struct Dialect {
  std::vector<std::string> options;       ///< for xas
  std::vector<std::string> gnu_command;   ///< GNU as: its program, then options
  std::vector<std::string> llvm_options;  ///< llvm-mc's options
  std::string head;                       ///< lines in front
};

/// `group` is that of the form.
Dialect dialect_of(const Request& request, unsigned group);

/// Bits of the instruction that relocations leave alone, `size` bytes.
void fixed_bits(Machine machine, const Assembled& line, std::vector<u8>& mask);

/// A text of many lines, each behind a label, so that an object tells what each came to.
class Labelled {
 public:
  /// The text of `lines` without those that `left_out` marks.
  std::string_view text(const Dialect& dialect, std::span<const std::string_view> lines,
                        const std::vector<bool>& left_out);
  /// The line that stands on line `number` of the text; `lines.size()` if none does.
  std::size_t line_at(u32 number) const;
  /// Fills in what each line came to. False if the object is not as it should be.
  bool read(std::span<const u8> object, std::vector<Assembled>& result);

 private:
  std::string text_;
  u32 head_lines_ = 0;
  std::vector<u32> placed_;  ///< the lines that are in the text, in order
  std::size_t count_ = 0;
  read::Object object_;
  std::vector<read::Reloc> relocs_;
  std::vector<Relocation> relocations_;
};

/// xas, with a context that is used again.
class Assembler {
 public:
  explicit Assembler(const Request& request) : request_(request) {}
  /// Lines of one group. What it returns is good until the next call.
  std::span<const Assembled> assemble(std::span<const std::string_view> lines, unsigned group);

 private:
  /// Takes out lines with errors. False if there were none.
  bool drop_errors(std::vector<bool>& dropped);

  const Request& request_;
  Context context_;
  int group_ = -1;
  Dialect dialect_;
  Labelled labelled_;
  std::vector<Assembled> result_;
  std::vector<std::string> messages_;
};

}  // namespace xas::corpus
