// SPDX-License-Identifier: Apache-2.0
// An instruction as the 32 bits that it is.
#pragma once

#include "xas/types.hpp"

namespace xas::aarch64 {

/// `width` bits from bit `at` on.
constexpr u32 field(u32 word, unsigned at, unsigned width) { return word >> at & ((1u << width) - 1); }
constexpr i64 signed_field(u32 word, unsigned at, unsigned width) {
  return i64(i32(word << (32 - at - width)) >> (32 - width));
}

inline u32 get_word(const u8* from) {
  return u32(from[0]) | u32(from[1]) << 8 | u32(from[2]) << 16 | u32(from[3]) << 24;
}

inline void put_word(u8* to, u32 word) {
  to[0] = u8(word);
  to[1] = u8(word >> 8);
  to[2] = u8(word >> 16);
  to[3] = u8(word >> 24);
}

}  // namespace xas::aarch64
