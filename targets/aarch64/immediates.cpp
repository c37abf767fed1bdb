// SPDX-License-Identifier: Apache-2.0
// Immediates that are computed: bitmasks and floating-point numbers of eight bits.
#include <bit>

#include "targets/aarch64/aarch64.h"

namespace xas::aarch64 {

// A bitmask immediate is an element of 2, 4, ... 64 bits, repeated; the element is a run of ones, rotated. So: the
// shortest period is found by halving, and the run's length and place by counting zeros and ones (Arm ARM,
// DecodeBitMasks).
int logical_immediate(u64 value, unsigned size) {
  if (size < 64) {
    const u64 mask = (u64(1) << size) - 1, high = ~mask;
    // A negative number of that size is as good.
    if ((value & high) != 0 && (value & high) != high) return -1;
    value &= mask;
    for (unsigned s = size; s < 64; s *= 2) value |= value << s;
  }
  if (value == 0 || ~value == 0) return -1;
  unsigned period = 64;
  while (period > 2) {
    const unsigned half = period / 2;
    const u64 mask = (u64(1) << half) - 1;
    if ((value & mask) != (value >> half & mask)) break;
    period = half;
  }
  const u64 mask = ~u64(0) >> (64 - period);
  const u64 element = value & mask;
  // The rotation that brings the run of ones to the bottom.
  unsigned rotation = unsigned(std::countr_zero(element));
  if (element & 1) {
    const unsigned top = unsigned(std::countl_one(element << (64 - period)));
    rotation = (period - top) % period;
  }
  const u64 turned = rotation ? (element >> rotation | element << (period - rotation)) & mask : element;
  const unsigned ones = unsigned(std::countr_one(turned));
  if (turned != ~u64(0) >> (64 - ones)) return -1;
  const unsigned immr = (period - rotation) % period;
  const unsigned n = period == 64;
  const unsigned imms = ((~(period * 2 - 1) & 0x3F) | (ones - 1)) & 0x3F;
  return int(n << 12 | immr << 6 | imms);
}

// (-1)^a * 2^(bcd - 3 or so) * (16 + efgh) / 16: of a double, the sign, one bit of the exponent that is repeated, and
// what must be zero below.
int float_immediate(u64 bits) {
  if (bits & ((u64(1) << 48) - 1)) return -1;
  const unsigned exponent = bits >> 52 & 0x7FF;
  if (exponent < 1023 - 3 || exponent > 1023 + 4) return -1;
  const unsigned mantissa = bits >> 48 & 0xF;
  const unsigned bcd = (exponent - 1020) ^ 4;
  return int((bits >> 63) << 7 | bcd << 4 | mantissa);
}

int byte_mask(u64 value) {
  int mask = 0;
  for (unsigned i = 0; i < 8; ++i) {
    const u64 byte = value >> (8 * i) & 0xFF;
    if (byte != 0 && byte != 0xFF) return -1;
    mask |= int(byte & 1) << i;
  }
  return mask;
}

}  // namespace xas::aarch64
