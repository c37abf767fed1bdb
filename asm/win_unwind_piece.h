// A function's part of .xdata whose form depends on lengths: a piece (codeview.h) that is made when code has been laid
// out. What the makers for ARM64 and ARM (win_unwind_arm64.cpp, win_unwind_arm.cpp) have in common.
#pragma once

#include <string>

#include "asm/win_unwind.h"

namespace xas {

struct CodeViewPiece;

class UnwindPieceMaker {
 protected:
  UnwindPieceMaker(Assembler& a, UnwindFrame& frame, CodeViewPiece& piece);

  void problem(SourceLoc loc, std::string message);
  /// From a label to one that is not before it. False if it is, or if the distance is not known.
  bool distance(SymbolId from, SymbolId to, u32& result);
  void put32(u32 v);
  /// A reference to the function's handler.
  void put_handler();

  Assembler& a_;
  UnwindFrame& f_;
  CodeViewPiece& piece_;
  std::vector<u8>& out_;
};

/// Makes room for the frame's information in .xdata. `has_data`: the handler's data follow, so it can't be packed.
void place_unwind_piece(Assembler& a, u32 frame, bool has_data);

/// Makes the bytes for which place_unwind_piece made room, and their relocations.
void make_unwind_piece(Assembler& a, CodeViewPiece& piece);

/// Writes .pdata; after the last make_unwind_piece.
void write_piece_runtime_functions(Assembler& a);

}  // namespace xas
