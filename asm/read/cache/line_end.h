// SPDX-License-Identifier: Apache-2.0
// Where a line ends of which the line cache has seen the operands.
#pragma once

#include <bit>
#include <cstring>

#include "asm/program/program.h"
#include "asm/text/scan.h"

namespace xas {

/// Where the line at p ends, if that is near; else null. The next line is found by this and not by reading this one up
/// to its end, because then the processor can begin with the next before it is through with this.
inline const char* near_newline([[maybe_unused]] const char* p) {
#if defined(__SSE2__)
  constexpr int near = 64;  // what can be read behind the text, at the least
  for (int i = 0; i < near; i += 32) {
    const auto newlines = [](const char* at) {
      const __m128i c = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
      return u32(_mm_movemask_epi8(_mm_cmpeq_epi8(c, _mm_set1_epi8('\n'))));
    };
    if (const u32 found = newlines(p + i) | newlines(p + i + 16) << 16) return p + i + std::countr_zero(found);
  }
#endif
  return nullptr;
}

/// Where the line ends of which q is the rest: there, or behind a comment. Null: elsewhere.
inline const char* line_end(const Program& program, const char* q, const char* newline) {
  if (!q || q == newline) return q;
  q = skip_blanks(program.chars, q);
  if (q == newline) return q;
  if (!program.chars.starts_comment(q)) return nullptr;
  return newline ? newline
                 : static_cast<const char*>(std::memchr(q, '\n', std::size_t(program.sources.current->end - q)));
}

}  // namespace xas
