// SPDX-License-Identifier: Apache-2.0
// What the shapes of instructions that are said by values (line_shape.h) have in common.
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>

#include "xas/stream.h"
#include "xas/types.hpp"

namespace xas {

/// What few operands have, in two words that are zero if they have none of it.
struct RareParts {
  u64 registers;  ///< segment and mask
  u64 facts;      ///< two bytes of the mask; scale, size, broadcast, count, element, flags

  explicit RareParts(const xas_arg& a) {
    static_assert(offsetof(xas_arg, mask) == offsetof(xas_arg, segment) + 4);
    static_assert(offsetof(xas_arg, scale) == offsetof(xas_arg, mask) + 4);
    static_assert(offsetof(xas_arg, flags) == offsetof(xas_arg, scale) + 5);
    std::memcpy(&registers, &a.segment, sizeof registers);
    std::memcpy(&facts, reinterpret_cast<const char*>(&a) + offsetof(xas_arg, scale) - 2, sizeof facts);
  }

  static constexpr u64 scale = std::endian::native == std::endian::little ? u64(0xFF) << 16 : u64(0xFF) << 40;
};

/// Numbers that are as large in the text of a line stay there.
inline constexpr i64 largest_taken = 999'999'999;
constexpr bool is_taken(i64 v) { return v <= largest_taken && v >= -largest_taken; }

}  // namespace xas
