// SPDX-License-Identifier: Apache-2.0
// Sections whose sizes will not change any more.
#pragma once

#include "asm/program/program.h"

namespace xas {

/// Nothing has been added to the section since it was made final.
bool is_final(const Program& program, const Section& section);
/// The sizes of what the section holds by now will not change any more.
void make_final(Program& program, const Section& section);
/// Finds the sizes, at once, of a section in which none depends on what follows: there are only alignments, pieces, and
/// LEB128 numbers that are known: .debug_loclists, .debug_rnglists, .debug$S. False if it is another.
bool finalize_in_order(Program& program, Section& section);
/// Makes a constant of a LEB128 number, if the sections of its labels are final, and finds its size.
bool finalize_leb(Program& program, Fragment& f);

}  // namespace xas
