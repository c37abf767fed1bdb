// SPDX-License-Identifier: Apache-2.0
// Aliases: symbols that were assigned another, and have of that more than its value.
#pragma once

#include <vector>

#include "xas/types.hpp"

namespace xas {

class Program;
struct Alias;

/// The last alias of each symbol; those of which others are aliases come before these. One that is an alias of itself,
/// by way of others, stands anywhere.
std::vector<Alias> aliases_behind_their_bases(const Program& program);
/// The same of those that stand for what was defined later, without a constant.
std::vector<Alias> late_aliases_behind_their_bases(const Program& program);

/// The type of an alias, STT_*: it had `own`, and is another name of what has `base` (GNU as).
u8 type_of_alias(u8 own, u8 base);

/// At the end of the text, for GNU as: which aliases last, and what those get that stand for what was defined later.
void finish_aliases(Program& program);

}  // namespace xas
