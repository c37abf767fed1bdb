// SPDX-License-Identifier: Apache-2.0
// Pieces: bytes that are made when code has been laid out, because what they say, or their form, depends on lengths. A
// piece is a PieceFragment of its section, which is laid out again when all have been filled.
#pragma once

#include <span>

#include "asm/diagnostics/diag.h"
#include "objwriter/big_memory.h"
#include "targets/value.h"

namespace xas {

class Program;
class Streamer;

/// Tables of CodeView (asm/debug/codeview.cpp), and a function's unwind information (asm/unwind/win_unwind_piece.cpp).
enum class PieceKind : u8 { strings, inlined_lines, ranges, unwind_info };

/// There are as many as variables, so what only some need is kept apart (`number`), and bytes are all in one array.
struct Piece {
  u64 place = 0;  ///< of its bytes in Pieces::bytes
  u32 subsection;
  u32 fragment;  ///< index of its fragment
  SourceLoc loc;
  u32 number;  ///< in CodeView::inlined_lines or ::range_lists; of unwind information: the frame's
  PieceKind kind;
};

/// A relocation in a piece.
struct PieceReloc {
  u32 piece;  ///< its number
  u32 at;     ///< bytes of the piece before the field
  SymbolId symbol;
  u32 type;
};

struct Pieces {
  BigVector<Piece> all;           ///< by number
  BigVector<u8> bytes;            ///< of all that have been filled
  BigVector<PieceReloc> relocs;   ///< in them
};

/// Adds a piece at the current place.
void add_piece(Streamer& out, PieceKind kind, u32 number, SourceLoc loc);

/// These are the bytes of piece `number`. Its section must be laid out again.
void fill_piece(Program& program, u32 number, std::span<const u8> bytes);

}  // namespace xas
