// SPDX-License-Identifier: Apache-2.0
// Sections that are made of what options and directives said, beside those for debuggers and for unwinding.
#pragma once

#include "asm/text/source_loc.h"
#include "targets/value.h"

namespace xas {

class Program;
class Streamer;

/// Those that do not depend on sizes. `end` is the end of the text.
///
/// ELF: .note.GNU-stack (--execstack), .note.gnu.property, .llvm.call-graph-profile, .memtag.globals.static, build
/// attributes (unless Profile::arm_attributes_last); and .stab is linked to its strings.
/// COFF: .pdata of the text's functions, and the sections for what .addrsig and .cg_profile collected.
void make_sections_before_layout(Streamer& out, SourceLoc end);

/// .ARM.attributes of what .aeabi_subsection and .aeabi_attribute collected.
void make_build_attributes(Program& program);
/// The section of build attributes, of targets that have one: the architecture's, and those of .gnu_attribute.
void make_attributes_section(Streamer& out);
/// .gnu.attributes of what .gnu_attribute collected, of other targets. Before the last layout.
void make_gnu_attributes(Streamer& out);
/// .gnu.build.attributes (--generate-missing-build-notes). Between the layouts.
void make_build_notes(Program& program);

/// What lists of symbols name in place of a .L symbol: its section's; else the symbol itself.
SymbolId significant_symbol(Program& program, SymbolId id);

}  // namespace xas
