// SPDX-License-Identifier: Apache-2.0
// Build attributes of ARM: what directives have said of them, and of what they are made up.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "xas/types.hpp"

namespace xas::arm {

struct BuildAttributes {
  /// Which of the two parts there is, is up to the tag.
  struct Attribute {
    u64 number = 0;
    std::string text = {};
    bool is_explicit = false;  ///< .eabi_attribute
  };
  std::map<u32, Attribute> by_tag;
  std::string arch, cpu, fpu, object_arch;  ///< as .arch and its kin say
  bool cpu_is_last = false;                 ///< .cpu stands behind any .arch
  bool fpu_is_last = false;                 ///< .fpu stands behind any of these
};

/// The number of Tag_`name`; -1: there is none.
i64 attribute_tag(std::string_view name);
bool attribute_has_number(u32 tag);
bool attribute_has_text(u32 tag);

}  // namespace xas::arm
