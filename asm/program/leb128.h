// LEB128: seven bits a byte, low ones first; the top bit says that more follow (DWARF 5, 7.6).
#pragma once

#include <bit>

#include "xas/types.hpp"

namespace xas {

inline constexpr unsigned max_leb128_size = 10;  ///< of 64 bits

constexpr unsigned uleb128_size(u64 v) { return unsigned(std::bit_width(v | 1) + 6) / 7; }

constexpr unsigned sleb128_size(i64 v) { return unsigned(std::bit_width(u64(v < 0 ? ~v : v)) + 7) / 7; }

/// Writes exactly `size` bytes; more than needed are allowed, and give a padded number.
inline void write_leb128(u8* out, u64 v, bool is_signed, u64 size) {
  for (u64 i = 0; i < size; ++i) {
    out[i] = u8((v & 0x7f) | (i + 1 < size ? 0x80 : 0));
    v = is_signed ? u64(i64(v) >> 7) : v >> 7;
  }
}

/// Writes as few bytes as the number takes, and returns how many that are.
inline unsigned write_uleb128(u8* out, u64 v) {
  unsigned n = 0;
  for (; v >= 0x80; v >>= 7) out[n++] = u8(v) | 0x80;
  out[n++] = u8(v);
  return n;
}
inline unsigned write_sleb128(u8* out, i64 v) {
  unsigned n = 0;
  for (; v < -64 || v > 63; v >>= 7) out[n++] = u8(v) | 0x80;
  out[n++] = u8(v) & 0x7f;
  return n;
}

}  // namespace xas
