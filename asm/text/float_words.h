// SPDX-License-Identifier: Apache-2.0
// Decimal floating-point constants as GNU as computes them: in words of 16 bits, two more than the format has, from as
// many digits as it deems useful. What does not fit is cut off, so the last bit is not always the nearest one.
#pragma once

#include <string_view>

#include "asm/text/u128.h"

namespace xas {

struct WordsOfDecimal {
  u128 significand;
  i64 exponent;  ///< of two
};

/// digits * 10^exponent, for a format of `format_words` words of 16 bits. The digits begin with another than 0, and
/// their zeros behind the point are left out. False if the power of ten is beyond what GNU as knows.
bool decimal_by_words(std::string_view digits, i64 exponent, unsigned format_words, WordsOfDecimal& out);

}  // namespace xas
