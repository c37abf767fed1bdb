// SPDX-License-Identifier: Apache-2.0
// A function's part of .xdata whose form depends on lengths: a piece (codeview.h) that is made when code has been laid
// out, of ARM64 and of ARM. What its bytes are, targets/aarch64/win_unwind.cpp and targets/arm/win_unwind.cpp know.
#pragma once

#include <vector>

#include "asm/program/win_unwind.h"

namespace xas {

class Program;
class Streamer;

/// Makes room for the frame's information in .xdata. `has_data`: the handler's data follow, so it can't be packed.
void place_unwind_piece(Streamer& out, u32 frame, bool has_data);

/// Makes the bytes of piece `number`, for which place_unwind_piece made room, and their relocations.
void make_unwind_piece(Program& program, u32 number, std::vector<u8>& bytes);

/// Writes .pdata; after the last make_unwind_piece.
void write_piece_runtime_functions(Streamer& out);

}  // namespace xas
