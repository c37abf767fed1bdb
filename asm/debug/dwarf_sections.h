// SPDX-License-Identifier: Apache-2.0
// The sections that go with a made .debug_line.
#pragma once

#include "asm/program/program.h"

namespace xas {

/// --debug-prefix-map.
std::string remap_path(const Program& program, const std::string& path);

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
