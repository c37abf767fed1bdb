// SPDX-License-Identifier: Apache-2.0
// A function's part of .xdata whose form depends on lengths: a piece (pieces.h) that is made when code has been laid
// out, of ARM64 and of ARM. What its bytes are, targets/aarch64/win_unwind.cpp and targets/arm/win_unwind.cpp know.
#pragma once

#include "xas/types.hpp"

namespace xas {

class Program;
class Streamer;

/// Makes room for the frame's information in .xdata. `has_data`: the handler's data follow, so it can't be packed.
void place_unwind_piece(Streamer& out, u32 frame, bool has_data);

/// Fills the pieces that place_unwind_piece made room for. Code has been laid out; their sections must be again.
void fill_unwind_pieces(Program& program);

/// Writes .pdata; after fill_unwind_pieces.
void write_piece_runtime_functions(Streamer& out);

}  // namespace xas
