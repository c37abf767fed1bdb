// SPDX-License-Identifier: Apache-2.0
// --gstabs: line numbers of the assembly source as stabs, made while the text is read (directives/stabs.cpp).
#pragma once

#include <string>

#include "asm/text/source.h"
#include "targets/target.h"

namespace xas {

class Streamer;
class Reader;

/// Which file the lines of the source belong to in GNU as: `.file "name"` counts for lines that have a number of their
/// own (in loops, and behind .line and line markers).
class SourceFileName {
 public:
  /// `.file "name"`
  void named(Streamer& out, std::string_view name);
  std::string_view of_statement(Streamer& out) const;
  bool is_known(Streamer& out) const;
  /// If its line had a number of its own.
  std::string_view of_numbered(Streamer& out) const;

 private:
  std::string name_;
  SourceLoc loc_ = 0;  ///< of the newest .file; 0: there was none
};

inline constexpr u32 stab_record_size = 12;

struct StabLines {
  bool on = false;
  bool void_known = false;          ///< the type of functions has been described
  SymbolId function = no_symbol;    ///< start of the .func that is open
  SourceFileName source_name;

  /// The records for the first input.
  void begin(Reader& reader, const SourceBuffer& input);
  /// An instruction of this line, or the call of a macro, follows.
  void statement(Streamer& out, std::string_view file, u32 line);

 private:
  std::string file_;
  u32 line_ = ~u32(0);
};

}  // namespace xas
