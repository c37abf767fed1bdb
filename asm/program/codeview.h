// SPDX-License-Identifier: Apache-2.0
// CodeView line and range information: what the .cv_* directives collect (directives/codeview.cpp), and the parts of
// .debug$S whose size depends on code (codeview.cpp).
//
// Most of .debug$S is ordinary data in the text. What is not (inlined lines, ranges of variables, the string table) is
// a *piece*: a stretch whose bytes are made when code has been laid out. In its section it is a PieceFragment.
// Unwind information of ARM64 is made in the same way.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "asm/program/codeview_lines.h"
#include "asm/diagnostics/diag.h"
#include "objwriter/big_memory.h"
#include "targets/target.h"

namespace xas {

class Program;
class Streamer;

inline constexpr u32 no_function_id = ~u32(0);

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
  u32 parent = no_function_id;       ///< what it was inlined into
  CodeViewPlace inlined_at;
  std::unordered_map<u32, CodeViewPlace> inlined;  ///< everything inlined into it, however deep, and where it is here
  u32 section = ~u32(0);             ///< of its .cv_loc
  std::size_t first = ~std::size_t(0), end = 0;    ///< its lines
};

/// .cv_loc
struct CodeViewLine {
  SymbolId label;
  u32 function;
  CodeViewPlace place;
  bool is_statement;
};

enum class CodeViewPieceKind : u8 { strings, inlined_lines, ranges, unwind_info };

struct CodeViewPiece {
  CodeViewPieceKind kind;
  u32 subsection;
  u32 fragment;           ///< index of its fragment
  SymbolId start;     ///< a label in front of it
  SourceLoc loc;
  std::vector<u8> bytes;
  // Inlined lines
  u32 function = 0;   ///< unwind information: the frame's number
  CodeViewPlace from;
  SymbolId begin = no_symbol, end = no_symbol;
  // Ranges
  std::string header; ///< of each record, behind its length
  std::vector<std::pair<SymbolId, SymbolId>> ranges;
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
  std::unordered_map<u32, CodeViewFunction> functions;
  BigVector<CodeViewLine> lines;
  std::string strings = std::string(1, '\0');
  std::unordered_map<std::string, u32> string_offsets = {{"", 0}};
  bool strings_placed = false;
  BigVector<CodeViewPiece> pieces;
  std::vector<FrameData> frames;
  bool frame_open = false;           ///< the last of `frames`
  CodeViewSourceLines source_lines;  ///< --gcodeview

  u32 add_string(const std::string& s);
  CodeViewFile* file(u32 number) {
    return number >= 1 && number <= files.size() && files[number - 1].assigned ? &files[number - 1] : nullptr;
  }
};

/// Adds a piece at the current place.
CodeViewPiece& add_codeview_piece(Streamer& out, CodeViewPieceKind kind, SourceLoc loc);

/// The lines of a function, with one for each place where others were inlined.
std::vector<CodeViewLine> codeview_lines(const CodeView& cv, u32 function);

}  // namespace xas
