// SPDX-License-Identifier: Apache-2.0
// What may stand in the places of A64 operands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "asm/corpus/instructions/form.h"
#include "targets/aarch64/tables.h"

namespace xas::corpus::a64forms {

using namespace xas::aarch64;

struct Text {
  std::string text;
  std::string_view edge;
};

/// What may stand in an atom's place: `inside` fits the row, `beyond` does not.
struct Choice {
  std::vector<Text> inside, beyond;
};

struct Numbers {
  std::vector<i64> inside, beyond;  ///< the first is the simplest
};

Numbers numbers_of(const Encoder& e);
/// Any number that the encoder takes.
i64 draw_number(Random& random, const Encoder& e, const Numbers& known);

inline Atom atom_of(const Row& row, unsigned i) { return Atom(row.signature[i >> 3] >> (8 * (i & 7)) & 0xFF); }
inline u8 mask_of(const Row& row, unsigned i) { return u8(row.mask[i >> 3] >> (8 * (i & 7))); }

inline const Encoder* encoder_of(const Row& row, unsigned atom) {
  for (unsigned f = 0; f < row.field_count; ++f)
    if (a64_fields[row.fields + f].atom == atom) return &a64_encoders[a64_fields[row.fields + f].encoder];
  return nullptr;
}

inline bool is_register(Atom a) { return (a >= atom_w && a < atom_imm) || (a >= atom_b && a <= atom_q) || a >= atom_v; }
inline bool is_list(Atom a) { return a >= atom_list1 && a <= atom_list4_stride4; }

std::string register_name(Atom a, i64 n);

/// What may stand in atom i's place; empty if the row can't be shown. `list` is the kind of list that begins with it,
/// or atom_none. With `random`, so many draws in place of the edges.
Choice choices(const Row& row, unsigned i, Atom list, Random* random, unsigned draws);

}  // namespace xas::corpus::a64forms
