// SPDX-License-Identifier: Apache-2.0
// The known spellings of the line cache (line_cache.h): directives and branches that have stood before. Their names, of
// sixteen characters at most, are compared as two words. That takes no hash of a name and no look-up in the table of
// all directives, or of all instructions.
#pragma once

#include <bit>
#include <cstring>

#include "asm/read/cache/template.h"
#include "asm/text/byte_masks.h"
#include "targets/hash.h"

namespace xas {

struct Directive;

/// What the line cache takes a directive's line for; `other`: the directive's handler reads it.
enum class LineKind : u8 { other, data, leb128, loc, conditional, align, binding };

/// What is known by the first word of a line. Entry::words is that word, zeros behind.
template <class Entry>
class KnownSpellings {
 public:
  /// That of the text up to the next blank or newline, or null.
  const Entry* find(const char* text) {
    u64 words[2];
    u32 size;
    const Entry* const e = entry(text, words, size);
    return e && e->words[0] == words[0] && e->words[1] == words[1] ? e : nullptr;
  }

  /// The entry for the text up to the next blank or newline: that of this name, or, if it is not known, the one to be
  /// made for it (its words differ). Null if the name is too long.
  Entry* entry(const char* text, u64 (&words)[2], u32& size) {
#if defined(__SSE2__)
    const auto fill = [](char c) { return _mm_set1_epi8(c); };
    const __m128i chunk = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
    const __m128i ends = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(chunk, fill(' ')), _mm_cmpeq_epi8(chunk, fill('\t'))),
                                      _mm_cmpeq_epi8(chunk, fill('\n')));
    const u32 found = u32(_mm_movemask_epi8(ends));
    if (found == 0) return nullptr;
    size = u32(std::countr_zero(found));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(words), first_bytes(chunk, size));
#else
    for (size = 0; text[size] != ' ' && text[size] != '\t' && text[size] != '\n'; ++size) {
      if (size == 16) return nullptr;
    }
    words[0] = words[1] = 0;
    std::memcpy(words, text, size);
#endif
    return &entries_[((words[0] ^ words[1] * 3) * hash_multiplier) >> (64 - log2)];
  }

 private:
  static constexpr unsigned log2 = 7;
  Entry entries_[1 << log2] = {};
};

struct KnownDirective {
  u64 words[2];
  const Directive* directive;
  LineKind kind;
  u8 size;       ///< of the name
  u8 arg;        ///< data: bytes of a value; leb128: 1 if it is signed; else that of the directive
};
using KnownDirectives = KnownSpellings<KnownDirective>;

/// A branch to a name and nothing else, as the template of its shape says.
struct KnownBranch {
  u64 words[2];
  SymbolTemplate symbol;
  u32 generation;  ///< of that template: instructions may mean something else now
  u32 word;        ///< if it may not grow: its four bytes, the first one lowest
  u8 size;         ///< of the mnemonic
};
using KnownBranches = KnownSpellings<KnownBranch>;

}  // namespace xas
