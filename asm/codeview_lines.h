// --gcodeview: line numbers of the assembly source as CodeView (codeview_lines.cpp).
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "targets/target.h"

namespace xas {

class Assembler;
struct Flex;
struct Subsection;

class CodeViewSourceLines {
 public:
  bool on = false;

  /// An instruction, or the call of a macro, stands here.
  void statement(Assembler& a, std::string_view file, u32 line);
  /// Here GNU as ends a piece of contents although there is nothing that can change in size.
  void end_piece(const Subsection& sub);
  /// Appends to .debug$S. All code must have been laid out.
  void write(Assembler& a);

 private:
  struct Row {
    u32 subsection, pos, flex;
    u32 piece;  ///< how many pieces had ended before it
    u32 file, line;
    bool same_piece(const Row& o) const { return subsection == o.subsection && flex == o.flex && piece == o.piece; }
  };
  struct End {
    u32 pos, flex;
  };
  u64 length(Assembler& a, const Row& first) const;
  void write_files(Assembler& a);
  std::size_t write_block(Assembler& a, std::size_t first);

  std::vector<Row> rows_;
  std::vector<std::vector<End>> ends_;  ///< by subsection
  std::vector<std::string> files_;
  std::unordered_map<std::string, u32> file_numbers_;
};

}  // namespace xas
