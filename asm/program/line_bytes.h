// SPDX-License-Identifier: Apache-2.0
// What each line of the first text has made (Options::Output::lines): editors show it beside the line.
//
// While text is read, the place in the current subsection is marked wherever a statement begins that belongs to another
// line, or goes to another subsection, than the one before. What lies between a mark and the next one in the same
// subsection is of the mark's line. What a macro or a loop makes is of the line where it is called, or begins; what
// included files make is of no line.
#pragma once

#include <string>
#include <vector>

#include "xas/types.hpp"

namespace xas {

struct SourceBuffer;

struct LineBytes {
  static constexpr u32 none = ~u32(0);
  static constexpr std::size_t most = 32;  ///< bytes of a line that are kept

  struct Mark {
    u32 line;  ///< from 0; none: of no line
    u32 subsection, fragment;
    u64 pos;
  };

  bool on = false;
  std::vector<Mark> marks;
  const SourceBuffer* text = nullptr;  ///< whose lines they are
  const char* counted = nullptr;       ///< place in it up to which newlines have been counted
  u32 newlines = 0;
  std::vector<std::string> first;  ///< the first bytes of each line, in the end; fields have their values
};

}  // namespace xas
