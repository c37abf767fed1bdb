// SPDX-License-Identifier: Apache-2.0
// What .section and a caller of xas_open_section share: flags as letters, and the sections of COFF that they ask for.
#pragma once

#include <string_view>

#include "asm/read/reader.h"

namespace xas {

struct Section;
struct SectionRequest;

/// Adds what the letters mean in ELF ("aMS"). False: one of them is unknown, which is reported at `where`.
bool read_section_flags(Reader& reader, SectionRequest& r, std::string_view letters, const char* where);

/// Optional number of a subsection at the cursor; without one it is 0. False: it is none, which is reported.
bool parse_subsection(Reader& reader, i64& number);

/// The symbol that signs the group; a section `r` is made a member of it.
void join_group(Reader& reader, SectionRequest& r, const Name& group);

/// What the letters of a section of COFF switch.
struct CoffSectionFlags {
  u32 set = 0;
  bool readonly_removed = false;
  int alignment = -1;  ///< a digit, GNU as's log2 of the alignment
};

/// A section of COFF as it is asked for.
struct CoffSectionRequest {
  std::string_view name;
  CoffSectionFlags flags;
  bool has_flags = false;
  u8 selection = 0;  ///< IMAGE_COMDAT_SELECT_*; 0: it is no COMDAT
  SymbolId comdat = no_symbol;
  u32 unique = 0;  ///< tells sections of one name apart; 0: nothing does
};

/// Reads letters ("dr"), one after the other. False: one of them makes no sense, which is reported at `where`.
bool read_coff_section_flags(Streamer& out, CoffSectionFlags& flags, std::string_view letters, const char* where);
/// The symbol may be this section's COMDAT symbol. False, reported: it may not.
bool take_comdat_symbol(Streamer& out, const CoffSectionRequest& r, const char* where);
/// The section, made if there is none.
Section& open_coff_section(Reader& reader, const CoffSectionRequest& r);

}  // namespace xas
