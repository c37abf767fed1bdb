// SPDX-License-Identifier: Apache-2.0
// PC sections (.pcsection): tables of places in code, each with constants behind it. The tables are ordinary data; what
// is kept here are the places that are not known while the text is read, and what is to be checked at the end.
// LLVM, "PC Sections Metadata".
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "asm/diagnostics/diag.h"
#include "asm/program/expr_pool.h"
#include "objwriter/metadata/pc_section.h"
#include "targets/hash.h"
#include "targets/value.h"

namespace xas {

class Program;
class Streamer;
struct Subsection;

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

/// "an offset has 4 or 8 bytes, not 5", or empty: entries that follow have PCs of this size.
std::string set_pc_offset_size(Program& program, i64 bytes);

/// What entries are about, when its section is known.
struct PcSubject {
  SymbolId begin = no_symbol;
  SymbolId end = no_symbol;  ///< none: a single place
  u32 section = 0;           ///< of the code
  SourceLoc loc = 0;
};

/// A symbol plus a number, and where the text has it.
struct PcAddress {
  SymbolId symbol = no_symbol;
  i64 constant = 0;
  SourceLoc loc = 0;

  /// False if the value is something else.
  bool set(Streamer& out, Value value);
};

/// The next instruction of the current subsection.
PcSubject next_instruction_as_subject(Streamer& out);

/// The place `begin`, or with `end` the range. It is in the section that `begin` is defined in by now, else in the
/// current one. False, reported, if that can have no contents.
bool addresses_as_subject(Streamer& out, const PcAddress& begin, const PcAddress* end, PcSubject& subject);

/// An entry, of which the PC and the size have been written. Until it goes its table is the current section, and what
/// is added are its constants. Neither .previous nor a .loc that waits for an instruction notices.
class PcEntry {
 public:
  /// False, reported, if there can be no such table.
  explicit operator bool() const { return good_; }
  PcEntry(Streamer& out, const PcSubject& subject, const pc_section::Name& table);
  ~PcEntry();
  PcEntry(const PcEntry&) = delete;
  PcEntry& operator=(const PcEntry&) = delete;

 private:
  bool begin(const PcSubject& subject, const pc_section::Name& table);

  Streamer& out_;
  Subsection& back_;
  Subsection* previous_;
  bool pending_data_, wants_sections_;
  bool good_;
};

/// The field of a constant: a number of `bits` (1 to 64) in `size` bytes, or as ULEB128.
struct PcField {
  unsigned bits;
  unsigned size;
  bool leb;
};

/// Adds a constant to the current table; returns what is wrong with it, or nothing.
std::string emit_pc_constant(Streamer& out, Value value, const PcField& field, SourceLoc loc);

/// Padding has been added at `pos` to the current subsection: labels that wait there move behind it.
void pass_over_padding(Streamer& out, u64 pos);

/// At the end of the text: all places become known.
void settle_pc_places(Program& program);

/// After layout: ranges are not negative, and numbers fit.
void check_pc_sections(Program& program);

}  // namespace xas
