// The sections that go with a made .debug_line.
#pragma once

#include "asm/assembler.h"

namespace xas {

/// --debug-prefix-map.
std::string remap_path(const Assembler& a, const std::string& path);

/// -g makes rows for this section's instructions.
bool has_generated_rows(const Assembler& a, const Section& section);

/// Where a section's code ends as far as debuggers are told: for llvm-mc, with its first subsection.
u64 end_of_code(const Assembler& a, const Section& section);

/// .debug_info, .debug_abbrev, .debug_aranges, .debug_str and .debug_ranges or .debug_rnglists, as GNU as makes them
/// where there are line numbers and no .debug_info. `line` is the .debug_line they belong to.
void write_gnu_debug_info(Assembler& a, Section& line);
/// The same as llvm-mc makes them for -g.
void write_llvm_debug_info(Assembler& a);

}  // namespace xas
