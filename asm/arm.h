// What only ARM objects have: symbols of Thumb functions, build attributes, and exception tables (EHABI).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "asm/diag.h"
#include "targets/target.h"

namespace xas {

class Assembler;

/// In Symbol::other: a function in Thumb code, whose address has the lowest bit set. Not written to the object.
inline constexpr u8 other_thumb = 0x80;

struct ArmState {
  bool next_is_thumb = false;  ///< .thumb_func: the next label is a Thumb function
};

/// Directives of ARM that are not the target's. False if there is none of that name.
bool arm_directive(Assembler& a, std::string_view name);

/// A label of ARM code has been defined.
void on_arm_label(Assembler& a, SymbolId id);

}  // namespace xas
