// SPDX-License-Identifier: Apache-2.0
// Listings (-a): which line of the text made which bytes, in GNU as's format.
//
// While text is read, each line gets an entry: where it is in which file, and where the current section stood. What a
// line made is what lies between its place and that of the next entry in the same subsection. The text of the listing
// is written at the end, when addresses and bytes are final; it reads the files again, line by line, so that lines
// without entries (bodies of macros, what conditionals leave out) are shown too.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "asm/diagnostics/diag.h"
#include "asm/program/line_finder.h"
#include "targets/target.h"

namespace xas {

class Program;
class Streamer;
class Reader;
struct SourceBuffer;
namespace obj {
struct Object;
}

/// What a line says about the listing itself.
enum class ListingEdict : u8 { none, list, nolist, nolist_next, eject, title, subtitle };

class Listing {
 public:
  bool on = false;  ///< one test for each line; all else is behind it

  /// The next statement, at the cursor, is the first of its line.
  void line(Reader& reader);
  /// The last round of a loop has ended: its .endr is a line of its own.
  void loop_end(Reader& reader);
  /// A line that is passed over, but is listed.
  void skipped_line(Reader& reader, const char* at);
  void edict(ListingEdict edict, std::string text = {});
  /// A conditional has left out what follows, or begins to take it again (-ac).
  void skip(const Program& program, bool skipped);
  void page_height(i64 lines) { paper_height_ = u32(lines); }
  void page_width(i64 columns) { paper_width_ = u32(columns); }
  /// .loc, .stabn: what follows is of that line of the high-level source; no file: the one before.
  void source(std::string_view file, u32 line);
  void source_file(std::string_view file);

  struct SymbolRow {
    std::string_view name;
    std::string_view section;
    u64 value;
    SourceLoc place;  ///< 0: of no line
    bool undefined;
  };
  std::vector<SymbolRow> symbol_rows;

  /// Writes the whole listing into `text`. `object` is null if there were errors: then lines have bytes as far as they
  /// were known.
  void write(Program& program, const obj::Object* object);
  /// The bytes of each line that has some, and the line behind '#'. The object has its contents in memory.
  std::string hex(Program& program, const obj::Object& object);
  std::string text;

 private:
  friend class ListingWriter;
  static constexpr u32 none = ~u32(0);

  struct Entry {
    SourceLoc loc;
    u32 line, file;
    u32 subsection, fragment;
    u64 pos;
    u32 text, text_size;    ///< in `texts_`, for lines of expansions; none: it is in the file
    u32 edict_text = none;  ///< in `edict_texts_`
    u32 source_file = none, source_line = 0;
    ListingEdict edict = ListingEdict::none;
    bool is_debug = false;
  };
  void add(Reader& reader, LineFinder::Place place, const char* at, bool own_text);
  LineFinder::Place place(Streamer& out, const char* at);
  u32 file_index(std::string_view name);

  std::vector<Entry> entries_;
  std::string texts_;
  std::vector<std::string> edict_texts_, files_;
  std::unordered_map<std::string, u32> file_index_;
  LineFinder finder_;
  u32 last_line_ = none, last_file_ = none;
  const char* last_text_ = nullptr;
  u32 paper_height_ = 60, paper_width_ = 200;
};

}  // namespace xas
