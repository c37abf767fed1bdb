// SPDX-License-Identifier: Apache-2.0
// Masks for the first bytes of a text that is compared or hashed as whole words.
#pragma once

#include "xas/types.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace xas {

alignas(16) inline constexpr u8 ones_then_zeros[64] = {
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

/// 0xff for each of the first n bytes of a text, at most 32, and 0 for the others. Where the mask begins.
inline const u8* mask_of_first(u32 n) { return ones_then_zeros + 32 - n; }

#if defined(__SSE2__)
/// The first n of sixteen bytes, zeros behind.
inline __m128i first_bytes(__m128i bytes, u32 n) {
  return _mm_and_si128(bytes, _mm_loadu_si128(reinterpret_cast<const __m128i*>(mask_of_first(n))));
}
#endif

}  // namespace xas
