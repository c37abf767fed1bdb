// SPDX-License-Identifier: Apache-2.0
// --gcodeview: which instruction is of which line of the assembly source. asm/debug/codeview_lines.cpp writes them.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "xas/types.hpp"

namespace xas {

class Streamer;
struct Subsection;

struct CodeViewSourceLines {
  bool on = false;

  /// An instruction, or the call of a macro, stands here.
  void statement(Streamer& out, std::string_view file, u32 line);
  /// Here GNU as ends a piece of contents although there is nothing that can change in size.
  void end_piece(const Subsection& sub);

  struct Row {
    u32 subsection, pos, fragment;
    u32 piece;  ///< how many pieces had ended before it
    u32 file, line;
    bool same_piece(const Row& o) const {
      return subsection == o.subsection && fragment == o.fragment && piece == o.piece;
    }
  };
  struct End {
    u32 pos, fragment;
  };
  std::vector<Row> rows;
  std::vector<std::vector<End>> ends;  ///< by subsection
  std::vector<std::string> files;
  std::unordered_map<std::string, u32> file_numbers;
};

}  // namespace xas
