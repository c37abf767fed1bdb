// SPDX-License-Identifier: Apache-2.0
// Decimal floating-point constants as GNU as computes them.
//
// What is strange: nothing is exact, and every inexact step counts. A number is a few words of 16 bits and a power of
// 65536. The digits are cut to a length that depends on the format; a power of ten is the product of 10^(2^k), of which
// GNU as has constants of certain lengths; and products lose their lowest words, without rounding.
//
// Source: what GNU as 2.40 computes.
#include "asm/text/float_words.h"

#include <array>
#include <utility>

namespace xas {

namespace {

constexpr unsigned word_bits = 16;
constexpr unsigned guard_words = 2;
constexpr unsigned table_words = 36;  // six more than the longest constant: its last word is right

struct Number {
  std::array<u16, table_words> words{};  ///< the lowest first
  unsigned size = 0;
  i64 exponent = 0;  ///< of 65536
};

/// The product, cut to `room` words. Words of 0 at the low end are left out while nothing has been cut.
Number multiply(const Number& a, const Number& b, unsigned room) {
  Number product{.exponent = a.exponent + b.exponent};
  const unsigned count = a.size + b.size - 1;
  const unsigned cut = count > room ? count - room : 0;
  u64 carry = 0;
  bool significant = cut > 0;
  for (unsigned n = 0; n < count; ++n) {
    u64 sum = std::exchange(carry, 0);
    for (unsigned i = n < b.size ? 0 : n - b.size + 1; i <= n && i < a.size; ++i) {
      sum += u64(a.words[i]) * b.words[n - i];
      carry += sum >> word_bits;
      sum &= 0xffff;
    }
    significant |= sum != 0;
    if (n >= cut && significant) product.words[product.size++] = u16(sum);
    else ++product.exponent;
  }
  if (carry == 0) return product;
  if (product.size == room) {
    std::move(product.words.begin() + 1, product.words.begin() + room, product.words.begin());
    --product.size;
    ++product.exponent;
  }
  product.words[product.size++] = u16(carry);
  return product;
}

/// The upper `size` words, rounded.
Number rounded(const Number& n, unsigned size) {
  if (n.size <= size) return n;
  Number result{.size = size, .exponent = n.exponent + n.size - size};
  u32 carry = n.words[n.size - size - 1] >> (word_bits - 1);
  for (unsigned i = 0; i < size; ++i) {
    carry += n.words[n.size - size + i];
    result.words[i] = u16(carry);
    carry >>= word_bits;
  }
  return result;
}

constexpr unsigned powers = 13;

/// 10^(2^k) and 10^-(2^k) as GNU as has them.
struct Powers {
  std::array<Number, powers> positive, negative;

  Powers() {
    constexpr u8 negative_sizes[powers] = {20, 20, 20, 19, 17, 14, 7, 14, 27, 30, 30, 30, 30};
    constexpr unsigned positive_size = 30;
    Number large{.size = 1}, small{.size = table_words, .exponent = -i64(table_words)};
    large.words[0] = 10;
    small.words.fill(0x9999);
    small.words[table_words - 1] = 0x1999;
    for (unsigned k = 0; k < powers; ++k) {
      positive[k] = rounded(large, positive_size);
      negative[k] = rounded(small, negative_sizes[k]);
      large = multiply(large, large, table_words);
      small = multiply(small, small, table_words);
    }
  }
};

Number digits_number(std::string_view digits) {
  Number n{.size = 1};
  for (const char c : digits) {
    u32 carry = u32(c - '0');
    for (unsigned i = 0; i < n.size; ++i) {
      carry += 10 * u32(n.words[i]);
      n.words[i] = u16(carry);
      carry >>= word_bits;
    }
    if (carry) n.words[n.size++] = u16(carry);
  }
  return n;
}

}  // namespace

bool decimal_by_words(std::string_view digits, i64 exponent, unsigned format_words, WordsOfDecimal& out) {
  static const Powers table;
  const unsigned room = format_words + guard_words;
  const std::size_t useful = room * word_bits * 1000000 / 3321928 + 1;  // by the logarithm of 10 to the base of 2
  if (digits.size() > useful) {
    exponent += i64(digits.size() - useful);
    digits = digits.substr(0, useful);
  }
  u64 remaining = exponent < 0 ? u64(-exponent) : u64(exponent);
  if (remaining >> powers) return false;
  const std::array<Number, powers>& factors = exponent < 0 ? table.negative : table.positive;
  Number power{.size = 1};
  power.words[0] = 1;
  for (unsigned k = 0; remaining; ++k, remaining >>= 1) {
    if (remaining & 1) power = multiply(factors[k], power, room);
  }
  const Number result = multiply(power, digits_number(digits), room);
  out = {.significand = 0, .exponent = result.exponent * word_bits};
  for (unsigned i = result.size; i-- > 0;) out.significand = out.significand << word_bits | result.words[i];
  return true;
}

}  // namespace xas
