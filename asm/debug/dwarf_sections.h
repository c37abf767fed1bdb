// SPDX-License-Identifier: Apache-2.0
// The sections that go with a made .debug_line.
#pragma once

#include "asm/program/program.h"

namespace xas {

/// How a value is written (DWARF 5, 7.5.6).
enum DwarfForm : u32 {
  DW_FORM_addr = 0x01,
  DW_FORM_data2 = 0x05,
  DW_FORM_data4 = 0x06,
  DW_FORM_data8 = 0x07,
  DW_FORM_string = 0x08,
  DW_FORM_flag = 0x0c,
  DW_FORM_strp = 0x0e,
  DW_FORM_udata = 0x0f,
  DW_FORM_ref_udata = 0x15,
  DW_FORM_sec_offset = 0x17,
  DW_FORM_flag_present = 0x19,
  DW_FORM_data16 = 0x1e,
  DW_FORM_line_strp = 0x1f,
};

/// Linkers may share the strings of this section, if its format can say so.
void mark_as_strings(const Program& program, Section& section);

/// Where a section's code ends as far as debuggers are told: for llvm-mc, with its first subsection.
u64 end_of_code(const Program& program, const Section& section);

/// .debug_info, .debug_abbrev, .debug_aranges, .debug_str and .debug_ranges or .debug_rnglists, as GNU as makes them
/// where there are line numbers and no .debug_info. `line` is the .debug_line they belong to.
void write_gnu_debug_info(Program& program, Section& line);
/// The same as llvm-mc makes them for -g.
void write_llvm_debug_info(Program& program);

}  // namespace xas
