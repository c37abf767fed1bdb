// SPDX-License-Identifier: Apache-2.0
// What `xas-corpus instructions` is about: a form is a row of an instruction table under one of its names, a line is a
// form with operands. The generators (x86.cpp, a64.cpp, arm.cpp) walk the tables that the assembler itself uses and
// hand lines to a Sink.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "asm/corpus/corpus.h"

namespace xas::corpus {

enum class Machine : u8 { x86_64, i386, x86_16, aarch64, arm, thumb };
enum class Syntax : u8 { att, intel, gnu };
enum class Values : u8 { one, edges, random };

/// What is asked of the generators.
struct Request {
  Machine machine = Machine::x86_64;
  Syntax syntax = Syntax::att;
  bool llvm = false;  ///< with the rows of llvm-mc's profile where the assemblers differ, not those of GNU as
  Values values = Values::one;
  u64 count = 1;  ///< random lines of each form
  u64 seed = 1;
  bool all_encodings = false;
  bool invalid = false;  ///< what must be refused, and nothing else
};

/// A row under one of its names.
struct Form {
  std::string mnemonic;
  std::string text;  ///< the mnemonic, kinds of operands and the encoding
  std::vector<std::string_view> features;
  u8 group = 0;  ///< lines of one group can stand in one text: which of the target's option sets they need
  u64 hash = 0;  ///< of the target, the syntax and `text`
};

/// How a line came about. Names of edges are constants.
struct LineKind {
  std::string_view edge = "plain";
  bool preferred = true;  ///< what assemblers choose for this instruction; if not, the line before that is preferred
                          ///< has the same operands
  std::string_view feature = {};  ///< that the operands need beside those of the form
};

/// Takes lines, form by form.
class Sink {
 public:
  /// Whether lines of this mnemonic are asked for at all.
  virtual bool wants(std::string_view mnemonic) const = 0;
  /// The lines that follow are of this form. False if none of them is asked for.
  virtual bool begin(Form&& form) = 0;
  virtual void line(std::string_view text, LineKind kind) = 0;

 protected:
  ~Sink() = default;
};

/// The lines of every row, in alphabetical order of the mnemonics.
void walk_x86(const Request& request, Sink& sink);
void walk_a64(const Request& request, Sink& sink);
void walk_arm(const Request& request, Sink& sink);

/// The names that features of a target have.
std::vector<std::string_view> x86_features();
std::vector<std::string_view> a64_features();
std::vector<std::string_view> arm_features();

}  // namespace xas::corpus
