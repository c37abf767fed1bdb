// SPDX-License-Identifier: Apache-2.0
// What a text has to come to: whether the assembler that it is for takes it, and where it does not.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "asm/text/output.h"
#include "xas/xas.hpp"

namespace xas::corpus::texts {

/// Asks xas, which takes and refuses what the assembler does whose profile it has.
class Expectation {
 public:
  /// The options of all texts, by lines too. Throws if one is wrong.
  explicit Expectation(std::initializer_list<std::string_view> options);
  /// Appends the line of a text: {"text":NAME,"accepted":...,"errors":[{"line":...,"message":...},...]}.
  void add(std::string_view name, std::string_view text);
  const std::string& lines() const { return lines_; }

 private:
  void put_errors(Output& line) const;

  Context context_;
  std::string lines_;
};

}  // namespace xas::corpus::texts
