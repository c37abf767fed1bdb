// SPDX-License-Identifier: Apache-2.0
// Layout: the sizes of all fragments, and with them the offset of everything.
#pragma once

#include "xas/types.hpp"

namespace xas {

class Program;
struct InsnFragment;
struct Section;
struct Symbol;

/// Finds the size of every fragment, the base of every subsection, the size of every section. Afterwards
/// Subsection::offset tells final offsets. Sizes that depend on themselves, that are negative where they must not be,
/// or that exceed max_section_bytes are reported. May be called again after sections have been added.
void layout(Program& program);

/// Reports what is wrong with the section's sizes, once they are found: too many bytes, values of fragments that are
/// not what they have to be. Raises the section's alignment to that of its .prefalign.
void check_sizes(Program& program, Section& section);

/// Sections of COFF end at a multiple of their alignment (Profile::coff_pads_sections). After layout, which is not
/// called again.
void pad_coff_sections(Program& program);

/// Bytes at the section's end that layout has added, and no line of the text.
u64 end_padding_size(const Program& program, const Section& section);

/// A relaxable branch to this label, if it is in the branch's own section, is resolved here and not by the linker.
bool branch_resolves(const Program& program, const Symbol& target, u16 modifier);

/// The same of an instruction that may grow, whose target is in its own section. While sizes are being found (`sizing`)
/// GNU as on ARM sizes some branches as if they were resolved here, and leaves them to the linker then.
bool insn_resolves(const Program& program, const Symbol& target, const InsnFragment& insn, bool sizing);

/// Of the symbol that a branch names and the label that this leads to, the one whose binding counts: an alias's own,
/// but not that of an expression, nor of a .weakref where such an alias is as global as its target.
const Symbol& binding_symbol(const Program& program, const Symbol& named, const Symbol& label);

/// llvm-mc's last step: puts longer instructions in place of no-ops. True if sections have to be laid out again.
bool widen_instructions(Program& program, Section& section);

}  // namespace xas
