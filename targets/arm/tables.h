// The generated tables (see targets/isagen), and the lookups in them.
#pragma once

#include <algorithm>

#include "targets/arm/row.h"
#include "targets/hash.h"

namespace xas::arm {

#include "arm_tables.inc"

/// What a mnemonic can mean, or null. `hash` is the hash_name of `name`.
inline const Spelling* find_spelling(std::string_view name, u64 hash) {
  constexpr std::size_t mask = std::size(arm_spellings) - 1;
  for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    const Spelling& s = arm_spellings[slot];
    if (!s.length) return nullptr;
    if (s.tag == u32(hash >> 32) && std::string_view(arm_names + s.name, s.length) == name) return &s;
  }
}

/// A word of a set of names, in any case; null if it is none.
inline const NameEntry* find_name(unsigned set, std::string_view name) {
  char lower[32];
  if (name.size() > sizeof lower) return nullptr;
  for (std::size_t i = 0; i < name.size(); ++i) lower[i] = name[i] >= 'A' && name[i] <= 'Z' ? char(name[i] + 32) : name[i];
  const std::string_view key(lower, name.size());
  const NameEntry* first = arm_name_entries + arm_name_sets[set][0];
  const NameEntry* last = arm_name_entries + arm_name_sets[set][1];
  const NameEntry* it = std::lower_bound(first, last, key, [](const NameEntry& e, std::string_view k) { return e.name < k; });
  return it != last && it->name == key ? it : nullptr;
}

}  // namespace xas::arm
