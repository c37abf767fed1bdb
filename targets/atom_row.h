// SPDX-License-Identifier: Apache-2.0
// Parts of generated tables that all targets have whose operands are atoms (targets/aarch64/row.h). Shared with the
// generator.
#pragma once

#include "xas/types.hpp"

namespace xas::atoms {

inline constexpr unsigned max_atoms = 16;

/// Where the bits of a field go, from the highest part of the value to the lowest.
struct Segment {
  u8 lsb;    ///< 255: nowhere, the bits must be zero
  u8 width;
};

/// How a value becomes bits; `parts` is how many pieces a field may be in.
template <class Encoding, unsigned parts>
struct Encoder {
  Encoding encoding;
  u8 segments;
  Segment segment[parts];
  i32 scale;
  i64 low, high, base;
};

struct Field {
  u8 atom;  ///< whose value
  u8 spare;
  u16 encoder;
};

}  // namespace xas::atoms
