// SPDX-License-Identifier: Apache-2.0
// Sections that describe how functions are unwound, made of what was collected while text was read.
#pragma once

namespace xas {

class Program;

/// Appends .eh_frame and .debug_frame. All user sections must have been laid out; the made ones must be afterwards.
void generate_frame_sections(Program& program);

/// Appends .sframe if --gsframe or .cfi_sections asks for it. All user sections must have been laid out.
void generate_sframe(Program& program);

}  // namespace xas
