// SPDX-License-Identifier: Apache-2.0
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

/// Appends the number to a string or a vector of bytes.
template <typename Bytes>
void append_uleb128(Bytes& to, u64 v) {
  u8 bytes[max_leb128_size];
  to.insert(to.end(), bytes, bytes + write_uleb128(bytes, v));
}
template <typename Bytes>
void append_sleb128(Bytes& to, i64 v) {
  u8 bytes[max_leb128_size];
  to.insert(to.end(), bytes, bytes + write_sleb128(bytes, v));
}

/// Reads a number, and moves p behind it; bits above 64 are dropped. False if it does not end before `end`.
inline bool read_leb128(const u8*& p, const u8* end, bool is_signed, u64& v) {
  v = 0;
  for (unsigned shift = 0; p != end; shift += 7) {
    const u8 byte = *p++;
    if (shift < 64) v |= u64(byte & 0x7f) << shift;
    if (byte & 0x80) continue;
    if (is_signed && byte & 0x40 && shift + 7 < 64) v |= ~u64(0) << (shift + 7);
    return true;
  }
  return false;
}

}  // namespace xas
