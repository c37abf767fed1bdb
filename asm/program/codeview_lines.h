// SPDX-License-Identifier: Apache-2.0
// --gcodeview: line numbers of the assembly source as CodeView (codeview_lines.cpp).
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "targets/target.h"

namespace xas {

class Program;
class Streamer;
class Fragment;
struct Subsection;

class CodeViewSourceLines {
 public:
  bool on = false;

  /// An instruction, or the call of a macro, stands here.
  void statement(Streamer& out, std::string_view file, u32 line);
  /// Here GNU as ends a piece of contents although there is nothing that can change in size.
  void end_piece(const Subsection& sub);
  /// Appends to .debug$S. All code must have been laid out.
  void write(Program& program);

 private:
  struct Row {
    u32 subsection, pos, fragment;
    u32 piece;  ///< how many pieces had ended before it
    u32 file, line;
    bool same_piece(const Row& o) const { return subsection == o.subsection && fragment == o.fragment && piece == o.piece; }
  };
  struct End {
    u32 pos, fragment;
  };
  u64 length(Program& program, const Row& first) const;
  void write_files(Program& program);
  std::size_t write_block(Program& program, std::size_t first);

  std::vector<Row> rows_;
  std::vector<std::vector<End>> ends_;  ///< by subsection
  std::vector<std::string> files_;
  std::unordered_map<std::string, u32> file_numbers_;
};

}  // namespace xas
