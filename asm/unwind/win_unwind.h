// SPDX-License-Identifier: Apache-2.0
// .xdata and .pdata of Windows, made of what the .seh_* directives said: those of x86-64, and what all machines share.
// Those of ARM64 and ARM: win_unwind_piece.h.
#pragma once

#include "asm/program/win_unwind.h"

namespace xas {

class Program;
class Streamer;
struct Section;
struct Subsection;

/// GNU as: the subsection of .xdata for the UNWIND_INFO of the next frame of this code.
i32 next_unwind_subsection(Program& program, u32 code);

/// .seh_handlerdata, for GNU as's subsections: what follows.
Subsection& unwind_data(Program& program, const UnwindFrame& frame);

/// Where .section goes on in a section. Clang writes the data of a handler behind .seh_endproc, into the section where
/// llvm-mc has its UNWIND_INFO by then; GNU as has a subsection for them, which .seh_handlerdata has named. The start,
/// where .section leads else, is the wrong place too if it would part the first frame's UNWIND_INFO from its data.
Subsection& unwind_data_or_start(Program& program, Section& section);

/// Writes the UNWIND_INFO of a frame into its .xdata.
void write_unwind_info(Streamer& out, UnwindFrame& frame);

/// Writes the RUNTIME_FUNCTION of a frame into the current section.
void write_runtime_function(Streamer& out, const UnwindFrame& frame);

/// After layout: where the epilogues of versions 2 and 3 begin.
void fill_epilogue_places(Program& program);

/// At the end of the text: frames that were left open are errors, and LLVM writes its .pdata.
void finish_unwind_tables(Streamer& out, SourceLoc end);

}  // namespace xas
