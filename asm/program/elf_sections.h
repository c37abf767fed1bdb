// SPDX-License-Identifier: Apache-2.0
// Sections of ELF: what makes one section differ from another, the defaults of names, groups, and the space without
// bytes of .struct. Sections of COFF are in coff.h.
#pragma once

#include <string>
#include <string_view>

#include "asm/diagnostics/diag.h"
#include "objwriter/elf_constants.h"
#include "targets/hash.h"
#include "targets/value.h"

namespace xas {

class Program;
class Streamer;
struct Section;
struct Subsection;

/// A section as it is asked for. `name` and what the name stands for by default are copied.
struct SectionRequest {
  std::string_view name;
  u64 flags = 0;
  u64 said = 0;  ///< those of the flags that this request names; the others are the current section's
  u32 type = elf::SHT_NULL;
  bool has_flags = false;          ///< flags and type are said, and compared with those of a section that exists
  const Section* group_of = nullptr;  ///< flag '?': the current section, whose group it is to be in
  bool implied = false;            ///< no directive opened it
  bool has_entries = false;        ///< by its type, as named; others have entries if they are merged
  bool sizes_entries = false;      ///< flag E: it has entries of a size, merged or not
  u64 entsize = 0;
  SymbolId group = no_symbol;
  bool comdat = false;
  SymbolId link_order = no_symbol;
  bool link_order_zero = false;
  u64 unique = ~u64(0);
  u32 info = 0;  ///< sh_info of SHF_GNU_MBIND sections
  SourceLoc loc = 0;
};

/// The section that is asked for, made if there is none. One that exists with other flags, another type or entry size
/// is reported. Completes the request by the group that `group_of` stands for.
Section& elf_section(Program& program, SectionRequest& request);

/// The section for a table about a section's code: writable data, linked to it and in its group; in COFF associated
/// with its COMDAT. It is one with a section that the text opens with these flags.
Section& section_about(Program& program, std::string_view name, Section& code);

/// What is wrong with the number that tells sections of one name apart (SectionRequest::unique); empty if nothing is.
std::string wrong_unique_number(const Program& program, i64 number);
/// The same of a subsection's number. One that is right counts as an i32.
std::string wrong_subsection_number(const Program& program, i64 number);

/// The symbol of this name for a group that it signs, or a section that is linked to it. The name must live as long as
/// the Program.
SymbolId symbol_of_text(Program& program, const Name& name);

/// The current section becomes a member of the group, and of a COMDAT if the group is one. One that is in a group
/// already stays there, with a warning.
void attach_to_group(Streamer& out, std::string_view name);

/// .text, .data, .bss, .rodata, .tdata or .tbss is made current: its subsection of that number.
void choose_standard_section(Streamer& out, std::string_view name, i32 subsection);

/// Where nothing can be stored: the section of .struct.
Subsection& absolute_space(Program& program);

/// What follows up to the next choice of a section only counts bytes, from `offset` on; labels there are numbers.
void begin_absolute_space(Streamer& out, u64 offset);

/// The sections that exist before anything is said.
void make_initial_sections(Streamer& out);

/// At the end of the text: what sections are linked to (SHF_LINK_ORDER) is in a section.
void check_linked_sections(Program& program);

}  // namespace xas
