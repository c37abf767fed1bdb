// SPDX-License-Identifier: Apache-2.0
// The public header of a target (xas/x86.h and its kin): its mnemonics and registers as numbers, in C and C++.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace xas::isagen {

struct HeaderText {
  std::string_view name;    ///< "x86": of the header, the enumerations and the namespace
  std::string_view prefix;  ///< "X86": of the enumerators, behind XAS_
  std::string_view title;   ///< "x86", as people write it
  std::set<std::string> mnemonics;
  std::vector<std::pair<std::string, int>> registers;  ///< with their numbers in the target
};

/// The header's text; empty, and a message on standard error, if two names or numbers are the same.
std::string write_header(const HeaderText& header);

}  // namespace xas::isagen
