// SPDX-License-Identifier: Apache-2.0
// Floating-point constants: from text to the bits of any format, rounded once and exactly, whatever the number of
// digits, or as GNU as does it. Independent of the locale and of the host's own floating point.
#pragma once

#include "xas/types.hpp"

namespace xas {

struct FloatFormat {
  u8 exponent_bits;
  u8 precision;     ///< bits of the significand, the leading one included
  bool integer_bit; ///< the leading one is stored (x87)
  u8 bytes;
  bool finite = false;  ///< the largest exponent is one like others
};

inline constexpr FloatFormat float_half = {5, 11, false, 2};
inline constexpr FloatFormat float_half_alternative = {5, 11, false, 2, true};  ///< ARM's
inline constexpr FloatFormat float_bfloat16 = {8, 8, false, 2};
inline constexpr FloatFormat float_single = {8, 24, false, 4};
inline constexpr FloatFormat float_double = {11, 53, false, 8};
inline constexpr FloatFormat float_extended = {15, 64, true, 10};

/// Sign, exponent and significand of a format; of those with an integer bit, the exponent is in the upper half.
struct FloatBits {
  u64 low = 0;
  u16 high = 0;  ///< of float_extended: sign and exponent
};

/// How decimal numbers are computed.
enum class FloatDecimals : u8 {
  exact,      ///< ties go to even; what is too large is infinity, what is too small 0
  truncated,  ///< as GNU as: float_words.h says; a half goes away from zero; what is out of range is an error
};

enum class FloatProblem : u8 { none, not_a_number, out_of_range };

/// Reads [+-] ( digits [. digits] [e exponent] | 0x hexadecimal p exponent | inf | infinity | nan | qnan | snan ) at p,
/// which moves behind it. `end` is where the text ends at the latest.
FloatProblem scan_float(const char*& p, const char* end, const FloatFormat& format, FloatDecimals decimals,
                        FloatBits& out);

}  // namespace xas
