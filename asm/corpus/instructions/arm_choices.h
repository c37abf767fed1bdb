// SPDX-License-Identifier: Apache-2.0
// What may stand in the places of ARM and Thumb operands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "asm/corpus/instructions/form.h"
#include "targets/arm/tables.h"

namespace xas::corpus::armforms {

using namespace xas::arm;

struct Text {
  std::string text;
  std::string_view edge = "plain";
};

using Texts = std::vector<Text>;

inline Atom atom_of(const Row& row, unsigned i) { return Atom(row.signature[i >> 3] >> (8 * (i & 7)) & 0xFF); }
inline u8 mask_of(const Row& row, unsigned i) { return u8(row.mask[i >> 3] >> (8 * (i & 7))); }

inline const Encoder* encoder_of(const Row& row, unsigned atom) {
  for (unsigned f = 0; f < row.field_count; ++f)
    if (arm_fields[row.fields + f].atom == atom) return &arm_encoders[arm_fields[row.fields + f].encoder];
  return nullptr;
}

/// What may stand in an atom's place, where `before` stand before it; empty: the form can't be shown. With `random`,
/// draws are among it.
Texts choices(const Row& row, unsigned i, const std::vector<std::string>& before, Random* random);
/// What is just beside that.
Texts beyond(const Row& row, unsigned i);
/// What stands there, in a word.
std::string word_of(const Row& row, unsigned i);

/// The operands in the places of atoms as they are written.
void join(std::string& out, const Row& row, const std::vector<std::string>& texts);

}  // namespace xas::corpus::armforms
