// SPDX-License-Identifier: Apache-2.0
// Unsigned integers of 128 bits. Compilers for hosts of 64 bits have them; for the others, what is needed here.
#pragma once

#include <compare>

#include "xas/types.hpp"

namespace xas {

#ifdef __SIZEOF_INT128__

using u128 = unsigned __int128;

#else

class u128 {
 public:
  constexpr u128() = default;
  constexpr u128(u64 value) : low_(value) {}

  constexpr explicit operator u64() const { return low_; }
  constexpr explicit operator i64() const { return i64(low_); }
  constexpr explicit operator u32() const { return u32(low_); }
  constexpr explicit operator u8() const { return u8(low_); }
  constexpr explicit operator bool() const { return low_ | high_; }

  constexpr u128 operator~() const { return {~high_, ~low_}; }
  constexpr u128 operator-() const { return ~*this + u128(1); }
  friend constexpr u128 operator|(u128 a, u128 b) { return {a.high_ | b.high_, a.low_ | b.low_}; }
  friend constexpr u128 operator&(u128 a, u128 b) { return {a.high_ & b.high_, a.low_ & b.low_}; }
  friend constexpr u128 operator+(u128 a, u128 b) {
    const u64 low = a.low_ + b.low_;
    return {a.high_ + b.high_ + (low < a.low_), low};
  }
  friend constexpr u128 operator-(u128 a, u128 b) { return a + -b; }
  friend constexpr u128 operator*(u128 a, u128 b) {
    u128 product;
    for (unsigned i = 0; i < 128; i += 32) product = product + (times(a, u32(b >> i)) << i);
    return product;
  }
  /// One bit of the quotient after the other.
  friend constexpr u128 operator/(u128 a, u128 b) {
    u128 quotient, rest;
    for (int i = 127; i >= 0; --i) {
      rest = rest << 1 | (a >> unsigned(i) & u128(1));
      if (rest < b) continue;
      rest = rest - b;
      quotient = quotient | u128(1) << unsigned(i);
    }
    return quotient;
  }
  friend constexpr u128 operator<<(u128 a, u64 n) {
    if (n >= 64) return {a.low_ << (n - 64), 0};
    return n ? u128{a.high_ << n | a.low_ >> (64 - n), a.low_ << n} : a;
  }
  friend constexpr u128 operator>>(u128 a, u64 n) {
    if (n >= 64) return {0, a.high_ >> (n - 64)};
    return n ? u128{a.high_ >> n, a.low_ >> n | a.high_ << (64 - n)} : a;
  }
  constexpr u128& operator|=(u128 b) { return *this = *this | b; }
  constexpr u128& operator+=(u128 b) { return *this = *this + b; }
  constexpr u128& operator<<=(u64 n) { return *this = *this << n; }
  constexpr u128& operator>>=(u64 n) { return *this = *this >> n; }
  constexpr u128& operator++() { return *this += u128(1); }
  constexpr bool operator==(const u128&) const = default;
  constexpr auto operator<=>(const u128&) const = default;

 private:
  constexpr u128(u64 high, u64 low) : high_(high), low_(low) {}
  static constexpr u128 times(u128 a, u32 factor) {
    const u64 parts[] = {a.low_ & 0xFFFFFFFF, a.low_ >> 32, a.high_ & 0xFFFFFFFF, a.high_ >> 32};
    u64 product[4], carry = 0;
    for (unsigned i = 0; i < 4; ++i) {
      carry += parts[i] * factor;
      product[i] = carry & 0xFFFFFFFF;
      carry >>= 32;
    }
    return {product[3] << 32 | product[2], product[1] << 32 | product[0]};
  }

  u64 high_ = 0, low_ = 0;  ///< in the order of comparisons
};

#endif

/// v / 2^n as a signed number.
inline u128 shift_right_signed(u128 v, unsigned n) {
  const bool negative = bool(v >> 127);
  return negative ? ~(~v >> n) : v >> n;
}

}  // namespace xas
