// SPDX-License-Identifier: Apache-2.0
// Call frame information that is written as data, as compilers without .cfi_* directives do: GNU as shortens its
// advances.
#pragma once

#include "asm/program/expr_pool.h"
#include "asm/program/symbol.h"

namespace xas {

class Program;
class Streamer;

/// What has been read of the entry at the end of .eh_frame or .debug_frame. Each data operand is one step.
struct FrameText {
  enum class State : u8 {
    idle, size, link, start,  ///< between entries; behind its size, its CIE or identifier, its start or version
    augmentation_size, augmentation,
    instructions,
    advance,                  ///< behind DW_CFA_advance_loc4
    skipped,                  ///< nothing can be told of this entry
  };
  State state = State::idle;
  SymbolId end = no_symbol;  ///< the entry ends where it is defined
  bool is_later = false;     ///< an entry has ended before
  bool has_cie = false;      ///< the next two are known: those of the section's first entry
  bool augmented = false;    ///< descriptions have data of which they tell the size
  u8 code_align = 0;
  u64 left = 0;              ///< bytes of the augmentation
  unsigned shift = 0;        ///< bits that are read of its size
  u64 pos = 0;               ///< where the advance is: in the subsection, behind `fragments` fragments
  u32 fragments = 0;
};

u64 advance_size(i64 bytes);
void write_advance(u8* out, i64 bytes, u64 size, bool big_endian);

/// The record for a section of this name, if it holds frames.
FrameText* frame_text_of(Program& program, std::string_view section);
/// One operand of a data directive of `size` bytes (0: LEB128), before it is stored. True: it has been, in a shorter
/// form.
bool shorten_advance(Streamer& out, const Value& given, unsigned size);

}  // namespace xas
