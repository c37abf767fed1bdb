// SPDX-License-Identifier: Apache-2.0
// Immediates that are packed into fewer bits: found by computation, never by search through what can be encoded.
#include <bit>

#include "targets/arm/arm.h"

namespace xas::arm {

/// The rotation that leaves the fewest bits in front wins, as both assemblers choose it.
int a32_immediate(u32 value) {
  for (unsigned rotate = 0; rotate < 16; ++rotate) {
    const u32 v = std::rotl(value, int(2 * rotate));
    if (v <= 0xFF) return int(rotate << 8 | v);
  }
  return -1;
}

int t32_immediate(u32 value) {
  if (value <= 0xFF) return int(value);
  const u32 low = value & 0xFF, next = value >> 8 & 0xFF;
  if (value == (low | low << 16)) return int(0x100 | low);
  if (value == (next << 8 | next << 24)) return int(0x200 | next);
  if (value == low * 0x01010101u) return int(0x300 | low);
  // 1bbbbbbb rotated right by 8 to 31
  const unsigned zeros = unsigned(std::countl_zero(value));
  const u32 top = std::rotl(value, int(zeros + 8));
  if (top > 0xFF) return -1;
  return int((zeros + 8) << 7 | (top & 0x7F));
}

/// A sign, three bits of exponent from -3 to 4, four bits of fraction.
int vfp_immediate(u64 bits) {
  if (bits & ((u64(1) << 48) - 1)) return -1;
  const int exponent = int(bits >> 52 & 0x7FF) - 1023;
  if (exponent < -3 || exponent > 4) return -1;
  return int(bits >> 63) << 7 | ((exponent + 3) ^ 4) << 4 | int(bits >> 48 & 15);
}

int simd_immediate(u64 value, unsigned size) {
  const u64 v = size == 64 ? value : value & ((u64(1) << size) - 1);
  switch (size) {
    case 8: return int(0xE00 | v);
    case 16:
      if (v <= 0xFF) return int(0x800 | v);
      if ((v & 0xFF) == 0) return int(0xA00 | v >> 8);
      return -1;
    case 32:
      for (unsigned i = 0; i < 4; ++i)
        if ((v & ~(u64(0xFF) << (8 * i))) == 0) return int(i << 9 | v >> (8 * i));
      if ((v & ~u64(0xFF00)) == 0xFF) return int(0xC00 | v >> 8);
      if ((v & ~u64(0xFF0000)) == 0xFFFF) return int(0xD00 | v >> 16);
      return -1;
    default: {
      u32 mask = 0;
      for (unsigned i = 0; i < 8; ++i) {
        const u64 byte = value >> (8 * i) & 0xFF;
        if (byte != 0 && byte != 0xFF) return -1;
        mask |= u32(byte & 1) << i;
      }
      return int(0x1E00 | mask);
    }
  }
}

}  // namespace xas::arm
