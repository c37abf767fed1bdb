// SPDX-License-Identifier: Apache-2.0
// The generated tables (see targets/isagen), and the lookups in them.
#pragma once

#include "targets/hash.h"
#include "targets/x86/facts.h"
#include "targets/x86/operand.h"

namespace xas::x86 {

#include "x86_tables.inc"

template <std::size_t size>
inline const Spelling* find_in(const Spelling (&spellings)[size], std::string_view name, u64 hash) {
  constexpr std::size_t mask = size - 1;
  for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    const Spelling& s = spellings[slot];
    if (!s.count) return nullptr;
    if (s.hash != hash || s.length != name.size() || s.last != name.back()) continue;
    if (name.size() <= 8 || std::memcmp(x86_names + s.name, name.data(), name.size()) == 0) return &s;
  }
}

/// The same by its mnemonic_number.
template <std::size_t size>
inline const Spelling* find_in(const Spelling (&spellings)[size], u32 number) {
  static_assert(size <= 1u << mnemonic_slot_bits);
  for (std::size_t slot = number & (size - 1);; slot = (slot + 1) & (size - 1)) {
    const Spelling& s = spellings[slot];
    if (!s.count) return nullptr;
    if (mnemonic_number(s.hash) == number) return &s;
  }
}

inline std::string_view name_of(const Spelling& s) { return {x86_names + s.name, s.length}; }

/// What a mnemonic can mean, or null. `hash` is the hash_name of `name`, which is not empty.
inline const Spelling* find_spelling(std::string_view name, u64 hash) { return find_in(x86_spellings, name, hash); }
inline const Spelling* find_intel_spelling(std::string_view name, u64 hash) {
  return find_in(x86_intel_spellings, name, hash);
}

/// What the instruction does.
inline const Facts& facts_of(const Row& row) { return x86_facts[row.facts]; }

/// Whether operand i is of a kind that the row has there.
inline bool operand_fits(const Row& row, const Statement& s, unsigned i) {
  const Operand& o = s.ops[i];
  return (x86_kinds[row.kind[i]][o.space] & o.classes) != 0;
}

}  // namespace xas::x86
