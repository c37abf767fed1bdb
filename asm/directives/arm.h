// SPDX-License-Identifier: Apache-2.0
// Directives of ARM that make symbols, sections and exception tables, and are not the target's own.
#pragma once

#include <string_view>

#include "xas/types.hpp"

namespace xas {

class NearestName;
class Reader;

/// The directive of that name, whose operands stand at the cursor (TargetInfo::Syntax::arm_directives). False if there
/// is none.
bool arm_directive(Reader& reader, std::string_view name);
/// Offers the names of all of them.
void offer_arm_directives(NearestName& nearest);

/// The same for .fnstart and what may follow it up to .fnend.
bool ehabi_directive(Reader& reader, std::string_view name);
void offer_ehabi_directives(NearestName& nearest);

/// Registers of a list that follow one another: general ones, or double ones, of which a quad register is two.
struct ArmRegisterRange {
  unsigned first = 0, last = 0;
  bool vector = false;
  u32 mask() const { return (~u32(0) >> (31 - last)) & (~u32(0) << first); }
};
/// register [ '-' register ]. What is wrong with them is reported.
bool parse_register_range(Reader& reader, ArmRegisterRange& range);

}  // namespace xas
