// SPDX-License-Identifier: Apache-2.0
// Sections that debuggers and profilers read, made of what was collected while text was read.
#pragma once

namespace xas {

class Program;

/// Appends .debug_line, and what belongs to it. All user sections must have been laid out; the made ones must be
/// afterwards.
void generate_debug_sections(Program& program);

/// --gcodeview: appends the lines of the assembly source to .debug$S. The code must have been laid out.
void generate_codeview_source_lines(Program& program);

/// Appends the .pseudo_probe sections. The code must have been laid out.
void generate_pseudo_probes(Program& program);

/// Appends the stack maps. The code must have been laid out.
void generate_stack_maps(Program& program);

/// Fills the pieces of .debug$S. Code has been laid out; their sections must be again.
void encode_codeview(Program& program);

}  // namespace xas
