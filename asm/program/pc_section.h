// SPDX-License-Identifier: Apache-2.0
// PC sections (.pcsection): tables of places in code, each with constants behind it. The tables are ordinary data; what
// is kept here are the places that are not known while the text is read, and what is to be checked at the end.
// LLVM, "PC Sections Metadata".
#pragma once

#include <unordered_map>
#include <vector>

#include "asm/diagnostics/diag.h"
#include "targets/target.h"

namespace xas {

class Program;
class Streamer;

struct PcSections {
  /// The place of the next instruction: a label that moves over padding until an instruction follows.
  struct Next {
    SymbolId place;
    SourceLoc loc;
  };
  /// A place that is named: `symbol` plus `constant`.
  struct Address {
    SymbolId place;
    SymbolId symbol;
    i64 constant;
    u32 section;  ///< that the table is about
    SourceLoc loc;
  };
  struct Range {
    SymbolId begin, end;
    SourceLoc loc;
  };
  /// A number of `bits` bits, to be known by the end.
  struct Compressed {
    SymbolId value;
    unsigned bits;
    SourceLoc loc;
  };

  std::vector<Next> next;
  std::unordered_map<u32, std::vector<SymbolId>> waiting;  ///< of `next`, behind which there is padding at most
  std::vector<Address> addresses;
  std::vector<Range> ranges;
  std::vector<Compressed> compressed;
  u8 offset_size = 4;  ///< bytes of a PC
};

/// A label for the next instruction of the current subsection.
SymbolId place_of_next_instruction(Streamer& out);

/// Padding has been added at `pos` to the current subsection: labels that wait there move behind it.
void pass_over_padding(Streamer& out, u64 pos);

/// A label for the place of `symbol` plus `constant`, which has to turn up in this section. It has no other properties
/// of the symbol: neither is it global nor a function of Thumb code.
SymbolId place_of_address(Program& program, SymbolId symbol, i64 constant, u32 section, SourceLoc loc);

/// At the end of the text: all places become known.
void settle_pc_places(Program& program);

/// After layout: ranges are not negative, and numbers fit.
void check_pc_sections(Program& program);

/// "value 300 does not fit in i8 (-128 to 255)", or empty if it fits in an integer of this many bits (1 to 64).
std::string misfit(i64 value, unsigned bits);

}  // namespace xas
