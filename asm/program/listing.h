// SPDX-License-Identifier: Apache-2.0
// Listings (-a): which line of the text made which bytes, in GNU as's format.
//
// While text is read, each line gets an entry (asm/read/listing.cpp): where it is in which file, and where the current
// section stood. What a line made is what lies between its place and that of the next entry in the same subsection. The
// text of the listing is written at the end, when addresses and bytes are final; it reads the files again, line by
// line, so that lines without entries (bodies of macros, what conditionals leave out) are shown too.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "asm/diagnostics/diag.h"
#include "asm/program/line_finder.h"
#include "xas/types.hpp"

namespace xas {

class Program;

/// What a line says about the listing itself.
enum class ListingEdict : u8 { none, list, nolist, nolist_next, eject, title, subtitle };

struct Listing {
  bool on = false;  ///< one test for each line; all else is behind it

  void edict(ListingEdict edict, std::string text = {});
  /// A conditional has left out what follows, or begins to take it again (-ac).
  void skip(const Program& program, bool skipped);
  /// .loc, .stabn: what follows is of that line of the high-level source; no file: the one before.
  void source(std::string_view file, u32 line);
  void source_file(std::string_view file);
  /// The number of a file in `files`.
  u32 file_index(std::string_view name);

  static constexpr u32 none = ~u32(0);

  struct Entry {
    SourceLoc loc;
    u32 line, file;
    u32 subsection, fragment;
    u64 pos;
    u32 text, text_size;    ///< in `texts`, for lines of expansions; none: it is in the file
    u32 edict_text = none;  ///< in `edict_texts`
    u32 source_file = none, source_line = 0;
    ListingEdict edict = ListingEdict::none;
    bool is_debug = false;
  };
  std::vector<Entry> entries;
  std::string texts;
  std::vector<std::string> edict_texts, files;
  std::unordered_map<std::string, u32> file_numbers;

  struct SymbolRow {
    std::string name;
    std::string_view section;
    u64 value;
    SourceLoc place;  ///< 0: of no line
    bool undefined;
  };
  std::vector<SymbolRow> symbol_rows;

  LineFinder finder;
  u32 last_line = none, last_file = none;  ///< of the last entry
  u32 paper_height = 60, paper_width = 200;

  std::string text;  ///< of the whole listing, in the end
};

}  // namespace xas
