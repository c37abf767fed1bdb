// SPDX-License-Identifier: Apache-2.0
// CodeView line and range information: what the .cv_* directives collect (directives/codeview.cpp), and the parts of
// .debug$S whose size depends on code (asm/debug/codeview.cpp).
//
// Most of .debug$S is ordinary data in the text. What is not (inlined lines, ranges of variables, the string table) is
// a piece (pieces.h).
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "asm/diagnostics/diag.h"
#include "asm/program/codeview_lines.h"
#include "objwriter/big_memory.h"
#include "targets/value.h"

namespace xas {

class Program;
class Streamer;

/// Kinds of subsections of .debug$S.
enum CodeViewSubsection : u32 {
  DEBUG_S_SYMBOLS = 0xf1,
  DEBUG_S_LINES = 0xf2,
  DEBUG_S_STRINGTABLE = 0xf3,
  DEBUG_S_FILECHKSMS = 0xf4,
  DEBUG_S_FRAMEDATA = 0xf5,
};

inline constexpr u32 no_function = ~u32(0);

struct CodeViewPlace {
  u32 file = 0, line = 0, column = 0;
};

struct CodeViewFile {
  bool assigned = false;
  u32 name = 0;                      ///< offset in the string table
  std::string checksum;
  u8 checksum_kind = 0;
  SymbolId offset_symbol = no_symbol;///< its offset in the table of checksums, known when that is written
  u32 offset = 0;
};

/// A function, or a place where one was inlined.
struct CodeViewFunction {
  u32 parent = no_function;  ///< number of what it was inlined into
  u32 level = 0;             ///< how many are around it
  CodeViewPlace inlined_at;
  u32 section = ~u32(0);         ///< of its .cv_loc
  u32 first = ~u32(0), end = 0;  ///< its lines, and those of all that was inlined into it, however deep
};

/// Functions in the order of their definitions, which are their numbers; and by id, which compilers count from 0.
class CodeViewFunctions {
 public:
  /// Number of the function with this id; no_function if there is none.
  u32 find(u32 id) const {
    if (id < near_.size() && near_[id]) [[likely]]
      return near_[id] - 1;
    if (far_.empty()) return no_function;
    const auto found = far_.find(id);
    return found == far_.end() ? no_function : found->second;
  }
  /// The number of a new one.
  u32 add(u32 id) {
    constexpr u32 gap = 256;
    const u32 number = u32(all_.size());
    if (id < 2 * all_.size() + gap) {
      if (id >= near_.size()) near_.resize(2 * std::size_t(id) + 1);
      near_[id] = number + 1;
    } else {
      far_.emplace(id, number);
    }
    all_.emplace_back();
    return number;
  }
  CodeViewFunction& operator[](u32 number) { return all_[number]; }
  const CodeViewFunction& operator[](u32 number) const { return all_[number]; }
  /// Where `inner`, which was inlined into `outer`, however deep, stands there; null if it was not.
  const CodeViewPlace* place_in(u32 outer, u32 inner) const {
    for (; inner != no_function && inner > outer; inner = all_[inner].parent)
      if (all_[inner].parent == outer) return &all_[inner].inlined_at;
    return nullptr;
  }

 private:
  std::vector<CodeViewFunction> all_;
  std::vector<u32> near_;             ///< number by id, plus one
  std::unordered_map<u32, u32> far_;  ///< of ids that are too large for that
};

/// .cv_loc
struct CodeViewLine {
  SymbolId label;
  u32 function;  ///< its number
  CodeViewPlace place;
  bool is_statement;
};

/// Lines of the function with this id, which count from one place.
struct CodeViewInlinedLines {
  u32 function;
  u32 file, line;
  SymbolId begin, end;
};

/// Where a variable lives in one way.
struct CodeViewRangeList {
  u32 header, header_size;  ///< of each record, behind its length: in CodeView::range_headers
  u32 first, end;           ///< in CodeView::ranges
};

struct CodeViewRange {
  SymbolId begin, end;
};

/// One operation of a prologue of 32-bit code, for frame data (.cv_fpo_*).
struct FrameOperation {
  enum Kind : u8 { push, set_frame, align, allocate } kind;
  u32 value;          ///< register, or bytes
  SymbolId at;
};

struct FrameData {
  SymbolId function, begin = no_symbol, prologue_end = no_symbol, end = no_symbol;
  u32 parameters = 0;
  std::vector<FrameOperation> operations;
  SourceLoc loc = 0;
};

struct CodeView {
  std::vector<CodeViewFile> files;   ///< from number 1
  bool offsets_known = false;
  SourceLoc offset_needed = 0;       ///< where .cv_filechecksums' offsets are first referred to
  CodeViewFunctions functions;
  BigVector<CodeViewLine> lines;
  std::string strings = std::string(1, '\0');
  std::unordered_map<std::string, u32> string_offsets = {{"", 0}};
  bool strings_placed = false;
  std::vector<CodeViewInlinedLines> inlined_lines;
  BigVector<CodeViewRangeList> range_lists;
  BigVector<CodeViewRange> ranges;
  std::string range_headers;
  std::vector<FrameData> frames;
  std::unordered_map<SymbolId, u32> frame_of;  ///< the first of a function in `frames` that has been closed
  bool frame_open = false;           ///< the last of `frames`
  CodeViewSourceLines source_lines;  ///< --gcodeview

  u32 add_string(const std::string& s);
  CodeViewFile* file(u32 number) {
    return number >= 1 && number <= files.size() && files[number - 1].assigned ? &files[number - 1] : nullptr;
  }
};

/// The lines of a function, with one for each place where others were inlined.
std::vector<CodeViewLine> codeview_lines(const CodeView& cv, u32 function);

}  // namespace xas
