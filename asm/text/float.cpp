// SPDX-License-Identifier: Apache-2.0
// A decimal number is digits * 10^e. Both sides of the binary point are brought into one big integer each, and divided
// until 70 bits of the quotient are known; what is left over only matters as being zero or not. GNU as computes with
// less (float_words.h).
#include "asm/text/float.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <vector>

#include "asm/text/float_words.h"

namespace xas {

namespace {

/// Digits beyond these can only tell a tie from what is close to one; no format here needs more than 11,600.
constexpr std::size_t max_digits = 12000;
constexpr i64 max_exponent = 20000;  // of ten: beyond all formats, whatever digits there are

class BigInteger {
 public:
  explicit BigInteger(u32 value) {
    if (value) words_.push_back(value);
  }

  void multiply_add(u32 factor, u32 term) {
    u64 carry = term;
    for (u32& w : words_) {
      carry += u64(w) * factor;
      w = u32(carry);
      carry >>= 32;
    }
    if (carry) words_.push_back(u32(carry));
  }

  void multiply_power_of_ten(u64 n) {
    for (; n >= 9; n -= 9) multiply_add(1000000000, 0);
    for (; n > 0; --n) multiply_add(10, 0);
  }

  u64 bits() const { return words_.empty() ? 0 : words_.size() * 32 - u64(std::countl_zero(words_.back())); }

  void shift_left(u64 n) {
    if (words_.empty() || n == 0) return;
    const unsigned small = n % 32;
    if (small) {
      u32 carry = 0;
      for (u32& w : words_) {
        const u32 next = w >> (32 - small);
        w = w << small | carry;
        carry = next;
      }
      if (carry) words_.push_back(carry);
    }
    words_.insert(words_.begin(), n / 32, 0);
  }

  void halve() {
    u32 carry = 0;
    for (std::size_t i = words_.size(); i-- > 0;) {
      const u32 next = words_[i] << 31;
      words_[i] = words_[i] >> 1 | carry;
      carry = next;
    }
    trim();
  }

  bool less_than(const BigInteger& o) const {
    if (words_.size() != o.words_.size()) return words_.size() < o.words_.size();
    for (std::size_t i = words_.size(); i-- > 0;) {
      if (words_[i] != o.words_[i]) return words_[i] < o.words_[i];
    }
    return false;
  }

  void subtract(const BigInteger& o) {
    i64 borrow = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      borrow += i64(words_[i]) - (i < o.words_.size() ? i64(o.words_[i]) : 0);
      words_[i] = u32(borrow);
      borrow >>= 32;
    }
    trim();
  }

  bool is_zero() const { return words_.empty(); }

 private:
  void trim() {
    while (!words_.empty() && words_.back() == 0) words_.pop_back();
  }
  std::vector<u32> words_;
};

/// significand * 2^exponent, and a little more if `inexact`. The significand is 0 or has bit 127 set.
struct Unrounded {
  u128 significand = 0;
  i64 exponent = 0;
  bool inexact = false;

  void normalize() {
    if (significand == u128(0)) return;
    const u64 high = u64(significand >> 64);
    const int zeros = high ? std::countl_zero(high) : 64 + std::countl_zero(u64(significand));
    significand <<= zeros;
    exponent -= zeros;
  }
};

/// digits * 10^exponent
Unrounded from_decimal(std::string_view digits, i64 exponent) {
  constexpr u64 quotient_bits = 70;
  BigInteger number(0);
  for (std::size_t i = 0; i < digits.size();) {
    u32 chunk = 0, factor = 1;
    for (; i < digits.size() && factor < 1000000000; ++i) {
      chunk = chunk * 10 + u32(digits[i] - '0');
      factor *= 10;
    }
    if (number.is_zero()) {
      number = BigInteger(chunk);
    } else {
      number.multiply_add(factor, chunk);
    }
  }
  BigInteger divisor(1);
  if (exponent > 0) {
    number.multiply_power_of_ten(u64(exponent));
  } else {
    divisor.multiply_power_of_ten(u64(-exponent));
  }
  // The quotient of number << up and divisor << down has quotient_bits, or one less.
  const i64 difference = i64(number.bits()) - i64(divisor.bits());
  const i64 shift = i64(quotient_bits) - 1 - difference;
  number.shift_left(shift > 0 ? u64(shift) : 0);
  divisor.shift_left((shift < 0 ? u64(-shift) : 0) + quotient_bits);
  Unrounded result{.exponent = -shift};
  for (u64 i = 0; i <= quotient_bits; ++i) {
    result.significand <<= 1;
    if (!number.less_than(divisor)) {
      number.subtract(divisor);
      result.significand |= u128(1);
    }
    divisor.halve();
  }
  result.inexact = !number.is_zero();
  result.normalize();
  return result;
}

FloatBits assemble_bits(const FloatFormat& f, bool negative, u64 exponent_field, u64 significand) {
  FloatBits out;
  if (f.integer_bit) {
    out.low = significand;
    out.high = u16(u64(negative) << f.exponent_bits | exponent_field);
  } else {
    const unsigned fraction_bits = f.precision - 1u;
    out.low = (u64(negative) << f.exponent_bits | exponent_field) << fraction_bits |
              (significand & ((u64(1) << fraction_bits) - 1));
  }
  return out;
}

FloatBits special(const FloatFormat& f, bool negative, u64 significand) {
  const u64 integer = f.integer_bit ? u64(1) << 63 : 0;
  return assemble_bits(f, negative, (u64(1) << f.exponent_bits) - 1, integer | significand);
}

/// `gnu`: as GNU as rounds what float_words.h has computed.
FloatProblem round(const FloatFormat& f, bool gnu, bool negative, Unrounded v, FloatBits& out) {
  const i64 bias = (i64(1) << (f.exponent_bits - 1)) - 1;
  if (v.significand == u128(0)) {
    out = assemble_bits(f, negative, 0, 0);
    return FloatProblem::none;
  }
  const i64 e = v.exponent + 127;  // the number is 1.xxx * 2^e
  if (gnu && e > bias + f.finite) return FloatProblem::out_of_range;
  i64 keep = f.precision;
  i64 field = e + bias;
  if (field <= 0) {  // a denormal number
    keep -= 1 - field;
    field = 0;
  }
  // GNU as gives up on numbers that are some bits below the smallest; how many is an accident of its arithmetic.
  const i64 lowest = f.integer_bit ? 63 : f.bytes * 8 + 14 - 2 * f.exponent_bits;
  if (gnu && -(e + bias) > lowest) return FloatProblem::out_of_range;
  u128 kept = 0, rest = v.significand;
  if (keep > 0) {
    kept = v.significand >> (128 - keep);
    rest = v.significand << keep;
  } else if (keep < 0) {
    rest = 1;
  }
  constexpr u128 half = u128(1) << 127;
  const bool tie = rest == half && !v.inexact;
  if (tie ? gnu || bool(kept & u128(1)) : rest >= half) ++kept;
  const u128 carry = u128(1) << f.precision;
  if (kept == carry) {
    kept >>= 1;
    ++field;
  } else if (field == 0 && kept == carry >> 1) {
    field = 1;  // rounded up to the smallest normal number
  }
  if (field >= (i64(1) << f.exponent_bits) - !f.finite) {
    out = special(f, negative, 0);
  } else {
    out = assemble_bits(f, negative, u64(field), u64(kept));
  }
  return FloatProblem::none;
}

unsigned hex_digit(char c) {
  if (u8(c - '0') <= 9) return unsigned(c - '0');
  if (u8((c | 0x20) - 'a') <= 5) return unsigned((c | 0x20) - 'a' + 10);
  return 16;
}

struct Cursor {
  const char*& p;
  const char* const end;
  char peek(std::size_t n = 0) const { return std::size_t(end - p) > n ? p[n] : '\0'; }

  bool word(std::string_view lower) {
    if (std::size_t(end - p) < lower.size()) return false;
    for (std::size_t i = 0; i < lower.size(); ++i) {
      if ((p[i] | 0x20) != lower[i]) return false;
    }
    p += lower.size();
    return true;
  }

  /// [+-] digits; 0 if there are none.
  i64 exponent() {
    bool negative = false;
    if (peek() == '+' || peek() == '-') negative = *p++ == '-';
    i64 value = 0;
    for (; u8(peek() - '0') <= 9; ++p) value = std::min<i64>(value * 10 + (*p - '0'), 1000000000);
    return negative ? -value : value;
  }
};

/// [.xxx]p exponent behind 0x. False, p unmoved, if there is no exponent.
bool scan_hexadecimal(Cursor& c, Unrounded& out) {
  const char* const start = c.p;
  Unrounded v;
  bool digits = false, point = false;
  for (;; ++c.p) {
    if (c.peek() == '.' && !point) {
      point = true;
      continue;
    }
    const unsigned d = hex_digit(c.peek());
    if (d == 16) break;
    digits = true;
    if (bool(v.significand >> 124)) {
      v.inexact |= d != 0;
      v.exponent += point ? 0 : 4;
    } else {
      v.significand = v.significand << 4 | d;
      v.exponent -= point ? 4 : 0;
    }
  }
  const char sign = c.peek(1);
  const bool has_exponent =
      (c.peek() | 0x20) == 'p' && (u8(sign - '0') <= 9 || ((sign == '+' || sign == '-') && u8(c.peek(2) - '0') <= 9));
  if (!digits || !has_exponent) return c.p = start, false;
  ++c.p;
  v.exponent += c.exponent();
  v.normalize();
  out = v;
  return true;
}

/// digits * 10^(power - fraction)
struct Decimal {
  std::vector<char> digits;  ///< from the first that is not 0; those behind the point without zeros at the end
  i64 fraction = 0;          ///< how many of them are behind the point
  i64 power = 0;
  std::string_view text() const { return {digits.data(), digits.size()}; }
};

/// digits[.digits][e exponent]. False, p unmoved, if there are no digits.
bool scan_decimal_number(Cursor& c, Decimal& out) {
  const char* const start = c.p;
  Decimal d;
  bool any = false, point = false, dropped = false;
  for (;; ++c.p) {
    if (c.peek() == '.' && !point) {
      point = true;
      continue;
    }
    const char digit = c.peek();
    if (u8(digit - '0') > 9) break;
    any = true;
    if (d.digits.size() < max_digits) {
      if (digit != '0' || !d.digits.empty()) d.digits.push_back(digit);
      d.fraction += point;
    } else {
      dropped |= digit != '0';
      d.fraction -= !point;
    }
  }
  if (!any) return c.p = start, false;
  if (dropped) d.digits.back() = char(d.digits.back() | 1);  // not a tie: 5 and 1 behind it, or an odd digit
  if ((c.peek() | 0x20) == 'e') {
    ++c.p;
    d.power = c.exponent();
  }
  for (; d.fraction > 0 && !d.digits.empty() && d.digits.back() == '0'; --d.fraction) d.digits.pop_back();
  out = std::move(d);
  return true;
}

Unrounded exact_value(Decimal& d) {
  while (!d.digits.empty() && d.digits.back() == '0') {
    d.digits.pop_back();
    --d.fraction;
  }
  if (d.digits.empty()) return {};
  const i64 magnitude = i64(d.digits.size()) + d.power - d.fraction;
  if (magnitude > max_exponent || magnitude < -max_exponent) {
    constexpr i64 far = 1 << 20;
    return {.significand = u128(1) << 127, .exponent = magnitude > 0 ? far : -far, .inexact = true};
  }
  return from_decimal(d.text(), d.power - d.fraction);
}

FloatProblem truncated_decimal(const FloatFormat& f, bool negative, const Decimal& d, FloatBits& out) {
  Unrounded v;
  if (!d.digits.empty()) {
    WordsOfDecimal words;
    if (!decimal_by_words(d.text(), d.power - d.fraction, f.bytes / 2u, words)) return FloatProblem::out_of_range;
    v = {.significand = words.significand, .exponent = words.exponent};
    v.normalize();
  }
  return round(f, true, negative, v, out);
}

}  // namespace

FloatProblem scan_float(const char*& p, const char* end, const FloatFormat& format, FloatDecimals decimals,
                        FloatBits& out) {
  Cursor c{p, end};
  bool negative = false;
  if (c.peek() == '+' || c.peek() == '-') negative = *p++ == '-';
  const u64 fraction = (u64(1) << (format.precision - 1)) - 1;
  if (c.word("infinity") || c.word("inf")) {
    out = special(format, negative, 0);
    return FloatProblem::none;
  }
  if (c.word("nan") || c.word("qnan")) {
    out = special(format, negative, fraction);
    return FloatProblem::none;
  }
  if (c.word("snan")) {
    out = special(format, negative, fraction >> 1);
    return FloatProblem::none;
  }
  if (c.peek() == '0' && (c.peek(1) | 0x20) == 'x') {
    Unrounded v;
    p += 2;
    if (scan_hexadecimal(c, v)) return round(format, false, negative, v, out);
    p -= 2;
    return FloatProblem::not_a_number;
  }
  Decimal d;
  if (!scan_decimal_number(c, d)) return FloatProblem::not_a_number;
  if (decimals == FloatDecimals::truncated) return truncated_decimal(format, negative, d, out);
  return round(format, false, negative, exact_value(d), out);
}

}  // namespace xas
