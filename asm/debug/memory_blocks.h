// SPDX-License-Identifier: Apache-2.0
// Where GNU as begins a fragment for want of memory. `.loc ... view -0` asks that: its row sets the address if it may
// be that of the row before, and GNU as takes that to be so if this row begins a fragment and the other ended one.
//
// A fragment there is a header and its bytes, in a block of 4064 bytes that it shares with others of its subsection.
// What does not fit into the block ends the fragment, and begins another one in a new block. Sizes alone decide where:
// of the header, of the pieces in which an instruction is written, and of the room that is kept for what may grow.
#pragma once

#include "asm/program/program.h"

namespace xas {

/// Gives the rows of a subsection with `view -0`, and those before them, line_begins_fragment and line_ends_fragment.
/// Does nothing for assemblers that have no such blocks (Target::fragment_sizes).
void mark_fragments(Program& program, u32 subsection);

}  // namespace xas
