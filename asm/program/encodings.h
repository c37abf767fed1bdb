// SPDX-License-Identifier: Apache-2.0
// -show-encoding: each instruction as it is written, with its bytes and fields as llvm-mc shows them. Bits that a
// linker or later text decides are letters, and each field is told in a line of its own.
//
// What is noted is what the target said when the instruction was read: a branch has its shortest form, and nothing is
// known of distances.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "targets/target.h"

namespace xas {

class Program;
struct Subsection;

class Encodings {
 public:
  bool on = false;
  std::string text;  ///< of all instructions so far

  /// An instruction begins in the current subsection.
  void begin(const Subsection& current);
  /// It has a field.
  void field(const FieldFixup& fixup, const Value& value) { fields_.push_back({fixup, value}); }
  /// It is one that may grow.
  void relaxable(const Program& program, const Subsection& current, u16 form, const Value& value);
  /// It has been read; `statement` is what is written.
  void end(const Program& program, const Subsection& current, std::string_view statement);

 private:
  struct Field {
    FieldFixup fixup;
    Value value;
  };
  std::string bytes_text(const std::vector<EncodedField>& names) const;

  u64 begin_ = 0;         ///< in the subsection
  bool relaxed_ = false;  ///< `bytes_` are known: those of an instruction that may grow
  std::vector<u8> bytes_;
  std::vector<Field> fields_;
};

}  // namespace xas
