// SPDX-License-Identifier: Apache-2.0
// CodeView while it is collected: parts of .debug$S and .xdata whose size depends on code.
#include "asm/program/codeview.h"

#include "asm/program/streamer.h"

namespace xas {

void add_codeview_piece(Streamer& out, CodeViewPieceKind kind, u32 number, SourceLoc loc) {
  out.add_fragment(PieceFragment{.number = u32(out.program.codeview.pieces.size())}, loc);
  make_room(out.program.codeview.pieces);
  out.program.codeview.pieces.push_back({.subsection = out.current->id,
                                         .fragment = u32(out.current->fragments.size() - 1),
                                         .loc = loc,
                                         .number = number,
                                         .kind = kind});
}

}  // namespace xas
