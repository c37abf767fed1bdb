// SPDX-License-Identifier: Apache-2.0
// The characters of a line by their kinds, found all at once: a bit for each.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "targets/text.h"

namespace xas {

/// What of 64 characters is a newline, the beginning of a comment, a certain one or above 127, a character of a name
/// other than '$'; one bit for each, the first lowest.
struct LineMasks {
  u64 newline = 0, comment = 0, odd = 0, name = 0;

  /// The characters [from, to); `special` is odd too. `begins_comment`: none if that is a newline.
  template <char special, char begins_comment = '\n'>
  void read(const char* p, unsigned from, unsigned to) {
#if defined(__SSE2__)
    const auto fill = [](char c) { return _mm_set1_epi8(c); };
    for (unsigned i = from; i < to; i += 16) {
      const __m128i c = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i));
      const __m128i lower = _mm_or_si128(c, fill(0x20));
      // Unsigned comparisons by saturation: zero where the difference is within the range.
      const __m128i letter = _mm_subs_epu8(_mm_sub_epi8(lower, fill('a')), fill(25));
      const __m128i digit = _mm_subs_epu8(_mm_sub_epi8(c, fill('0')), fill(9));
      const __m128i alphanumeric = _mm_cmpeq_epi8(_mm_min_epu8(letter, digit), _mm_setzero_si128());
      const __m128i other = _mm_or_si128(_mm_cmpeq_epi8(c, fill('_')), _mm_cmpeq_epi8(c, fill('.')));
      const auto bits = [i](__m128i v) { return u64(u32(_mm_movemask_epi8(v))) << i; };
      name |= bits(_mm_or_si128(alphanumeric, other));
      newline |= bits(_mm_cmpeq_epi8(c, fill('\n')));
      if constexpr (begins_comment != '\n') comment |= bits(_mm_cmpeq_epi8(c, fill(begins_comment)));
      odd |= bits(_mm_or_si128(_mm_cmpeq_epi8(c, fill(special)), c));
    }
#else
    for (unsigned i = from; i < to; ++i) {
      const u8 c = u8(p[i]);
      const bool is_name = u8((c | 0x20) - 'a') <= 25 || text::is_digit(char(c)) || c == '_' || c == '.';
      name |= u64(is_name) << i;
      newline |= u64(c == '\n') << i;
      if constexpr (begins_comment != '\n') comment |= u64(char(c) == begins_comment) << i;
      odd |= u64(char(c) == special || c >= 128) << i;
    }
#endif
  }
};

}  // namespace xas
