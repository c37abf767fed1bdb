// SPDX-License-Identifier: Apache-2.0
// CodeView while it is collected: parts of .debug$S and .xdata whose size depends on code.
#include "asm/program/codeview.h"

#include "asm/program/streamer.h"

namespace xas {

CodeViewPiece& add_codeview_piece(Streamer& out, CodeViewPieceKind kind, SourceLoc loc) {
  const SymbolId start = out.make_label_here();
  out.add_fragment(PieceFragment{.number = u32(out.program.codeview.pieces.size())}, loc);
  make_room(out.program.codeview.pieces);
  return out.program.codeview.pieces.emplace_back(CodeViewPiece{.kind = kind,
                                                                .subsection = out.current->id,
                                                                .fragment = u32(out.current->fragments.size() - 1),
                                                                .start = start,
                                                                .loc = loc});
}

}  // namespace xas
