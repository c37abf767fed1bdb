// SPDX-License-Identifier: Apache-2.0
// See pieces.h.
#include "asm/program/pieces.h"

#include "asm/program/streamer.h"

namespace xas {

void add_piece(Streamer& out, PieceKind kind, u32 number, SourceLoc loc) {
  Pieces& pieces = out.program.pieces;
  out.add_fragment(PieceFragment{.number = u32(pieces.all.size())}, loc);
  make_room(pieces.all);
  pieces.all.push_back({.subsection = out.current->id,
                        .fragment = u32(out.current->fragments.size() - 1),
                        .loc = loc,
                        .number = number,
                        .kind = kind});
}

void fill_piece(Program& program, u32 number, std::span<const u8> bytes) {
  Pieces& pieces = program.pieces;
  Piece& piece = pieces.all[number];
  piece.place = pieces.bytes.size();
  make_room(pieces.bytes, bytes.size());
  pieces.bytes.insert(pieces.bytes.end(), bytes.begin(), bytes.end());
  Subsection& sub = program.sections.sub(piece.subsection);
  sub.fragments[piece.fragment].as<PieceFragment>().bytes = bytes.size();
  sub.final_size = ~u64(0);
}

}  // namespace xas
