// SPDX-License-Identifier: Apache-2.0
// Stabs: records that the text gives, and --gstabs, line numbers of the assembly source as stabs.
#pragma once

#include <string>
#include <string_view>

#include "asm/text/source.h"
#include "targets/hash.h"
#include "targets/value.h"

namespace xas {

class Streamer;

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

/// What a record says beside its string and its value.
struct Stab {
  u8 type = 0, other = 0;
  u16 description = 0;
};

/// A record in `section`, whose strings are in the section of that name and "str".
void put_stab(Streamer& out, const std::string& section, std::string_view text, Stab stab, const Value& value,
              SourceLoc loc);

struct StabLines {
  bool on = false;
  bool void_known = false;          ///< the type of functions has been described
  SymbolId function = no_symbol;    ///< start of the .func that is open
  SourceFileName source_name;

  /// The records for the first input.
  void begin(Streamer& out, const SourceBuffer& input);
  /// `.func`: of the function's start, at `label`.
  void begin_function(Streamer& out, const Name& name, const Name& label);
  void end_function(Streamer& out);
  /// An instruction of this line, or the call of a macro, follows.
  void statement(Streamer& out, std::string_view file, u32 line);

 private:
  std::string file_;
  u32 line_ = ~u32(0);
};

}  // namespace xas
