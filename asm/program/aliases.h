// SPDX-License-Identifier: Apache-2.0
// Aliases: symbols that were assigned another, and have of that more than its value.
#pragma once

#include <vector>

#include "xas/types.hpp"

namespace xas {

class Program;
struct Alias;
struct Symbol;

/// The last alias of each symbol; those of which others are aliases come before these. One that is an alias of itself,
/// by way of others, stands anywhere.
std::vector<Alias> aliases_behind_their_bases(const Program& program);
/// The same of those that stand for what was defined later, without a constant.
std::vector<Alias> late_aliases_behind_their_bases(const Program& program);

/// Of two types of a symbol, STT_*, the one that says more; the new one where neither does.
u8 stronger_type(u8 old, u8 fresh);

/// What an alias takes from the symbol that it is another name of, for GNU as: its type, and which Thumb code it marks.
void take_from_base(const Program& program, Symbol& alias, const Symbol& base);

/// At the end of the text, for GNU as: which aliases last, and what those get that stand for what was defined later.
void finish_aliases(Program& program);

}  // namespace xas
