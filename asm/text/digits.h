// SPDX-License-Identifier: Apache-2.0
// Decimal digits, eight at a time, as the bytes of a word.
#pragma once

#include <bit>
#include <cstring>

#include "xas/types.hpp"

namespace xas {

/// Eight characters of text, the first as the lowest byte.
inline u64 eight_characters(const char* p) {
  u64 word;
  std::memcpy(&word, p, 8);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

/// The value of the digits that are the highest bytes of a word, zeros below.
inline u32 value_of_digits(u64 digits) {
  u64 v = digits & 0x0F0F0F0F0F0F0F0Full;
  v = (v * 2561) >> 8 & 0x00FF00FF00FF00FFull;  // pairs of them, fours, all eight
  v = (v * 6553601) >> 16 & 0x0000FFFF0000FFFFull;
  return u32((v * 42949672960001ull) >> 32);
}

/// How many of eight characters, from the first on, are digits.
inline u32 count_digits(u64 word) {
  constexpr u64 high = 0xF0F0F0F0F0F0F0F0ull, zeros = 0x3030303030303030ull, six = 0x0606060606060606ull;
  const u64 others = ((word & high) ^ zeros) | (((word + six) & high) ^ zeros);
  return u32(std::countr_zero(others)) / 8;  // 8 if all are
}

/// Up to seven digits at q, no zero before others; the place behind them, or null.
inline const char* few_digits(const char* q, u32& value) {
  const u64 word = eight_characters(q);
  const u32 digits = count_digits(word);
  if (digits - 1 >= 7 || (*q == '0' && digits > 1)) return nullptr;
  value = value_of_digits(word << (64 - 8 * digits));
  return q + digits;
}

}  // namespace xas
