// SPDX-License-Identifier: Apache-2.0
// The generated tables (see targets/isagen), and the lookups in them.
#pragma once

#include "targets/arm/row.h"
#include "targets/atoms.h"
#include "targets/atom_facts.h"

namespace xas::arm {

using atoms::Branch, atoms::Clash, atoms::ClashTest, atoms::ClashUse, atoms::ClashWhen, atoms::Facts, atoms::Severity;

#include "arm_tables.inc"

/// What the instructions of a row do.
inline const Facts& facts_of(const Row& row) { return arm_facts[arm_row_facts[&row - arm_rows]]; }

/// What a mnemonic can mean, or null. `hash` is the hash_name of `name`.
inline const Spelling* find_spelling(std::string_view name, u64 hash) {
  return atoms::find_spelling(arm_spellings, arm_names, name, hash);
}
inline const Spelling* find_spelling(u32 number) { return atoms::find_numbered(arm_spellings, number); }

inline std::string_view name_of(const Spelling& s) { return {arm_names + s.name, s.length}; }

/// The first name of a set, and behind the last.
inline const NameEntry* names_begin(unsigned set) { return arm_name_entries + arm_name_sets[set][0]; }
inline const NameEntry* names_end(unsigned set) { return arm_name_entries + arm_name_sets[set][1]; }

/// A word of a set of names, in any case; null if it is none.
inline const NameEntry* find_name(unsigned set, std::string_view name) {
  return atoms::find_name(names_begin(set), names_end(set), name);
}

}  // namespace xas::arm
