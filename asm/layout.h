// Layout: the sizes of all flexes, and with them the offset of everything.
#pragma once

#include "targets/target.h"

namespace xas {

class Assembler;
struct Symbol;

/// Settles the size of every flex, the base of every subsection, the size of every section. Afterwards
/// Subsection::offset tells final offsets. Sizes that depend on themselves, that are negative where they must not be,
/// or that exceed max_section_bytes are reported. May be called again after sections have been added.
void layout(Assembler& a);

/// A relaxable branch to this label, if it is in the branch's own section, is settled here and not by the linker.
bool branch_settles(const Assembler& a, const Symbol& target, u16 modifier);

}  // namespace xas
