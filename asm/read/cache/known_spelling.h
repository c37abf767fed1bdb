// SPDX-License-Identifier: Apache-2.0
// The known spellings of the line cache (line_cache.h): directives and branches that have stood before. Their names, of
// 24 characters at most, are compared as three words. That takes no hash of a name and no look-up in the table of
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
enum class LineKind : u8 { other, data, leb128, string, loc, codeview_line, conditional, align, binding, cfi };

/// The first word of a line, zeros behind.
struct Spelling {
  u64 words[3];

  bool operator==(const Spelling&) const = default;
};

/// What is known by the first word of a line, Entry::spelling.
template <class Entry>
class KnownSpellings {
 public:
  /// That of the text up to the next blank or newline, or null.
  const Entry* find(const char* text) {
#if defined(__SSE2__) && defined(__x86_64__)
    const __m128i chunk = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
    if (const u32 found = ends(chunk)) [[likely]] {  // a short one needs no memory
      const __m128i name = first_bytes(chunk, u32(std::countr_zero(found)));
      const u64 low = u64(_mm_cvtsi128_si64(name)), high = u64(_mm_cvtsi128_si64(_mm_unpackhi_epi64(name, name)));
      const Entry& e = entries_[place(low, high, 0)];
      const __m128i known = _mm_loadu_si128(reinterpret_cast<const __m128i*>(e.spelling.words));
      return _mm_movemask_epi8(_mm_cmpeq_epi8(name, known)) == 0xFFFF ? &e : nullptr;
    }
#endif
    Spelling spelling;
    u32 size;
    const Entry* const e = entry(text, spelling, size);
    return e && e->spelling == spelling ? e : nullptr;
  }

  /// The entry for the text up to the next blank or newline: that of this name, or, if it is not known, the one to be
  /// made for it (its spelling differs). Null if the name is too long.
  Entry* entry(const char* text, Spelling& spelling, u32& size) {
    u64* const words = spelling.words;
#if defined(__SSE2__)
    const __m128i chunk = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
    words[2] = 0;
    if (const u32 found = ends(chunk)) [[likely]] {
      size = u32(std::countr_zero(found));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(words), first_bytes(chunk, size));
    } else {
      const __m128i rest = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(text + 16));
      const u32 later = ends(rest) & 0xFF;
      if (later == 0) return nullptr;
      size = 16 + u32(std::countr_zero(later));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(words), chunk);
      _mm_storel_epi64(reinterpret_cast<__m128i*>(words + 2), first_bytes(rest, size - 16));
    }
#else
    for (size = 0; text[size] != ' ' && text[size] != '\t' && text[size] != '\n'; ++size) {
      if (size == sizeof spelling) return nullptr;
    }
    spelling = {};
    std::memcpy(words, text, size);
#endif
    return &entries_[place(words[0], words[1], words[2])];
  }

 private:
  /// Where the entry is of the name of these words.
  static u64 place(u64 a, u64 b, u64 c) { return ((a ^ b * 3 ^ c * 5) * hash_multiplier) >> (64 - log2); }
#if defined(__SSE2__)
  /// A bit for each character that ends a word.
  static u32 ends(__m128i chunk) {
    const auto are = [chunk](char c) { return _mm_cmpeq_epi8(chunk, _mm_set1_epi8(c)); };
    return u32(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(are(' '), are('\t')), are('\n'))));
  }
#endif

  static constexpr unsigned log2 = 7;
  Entry entries_[1 << log2] = {};
};

struct KnownDirective {
  Spelling spelling;
  const Directive* directive;
  LineKind kind;
  u8 size;       ///< of the name
  u8 arg;        ///< data: bytes of a value; leb128: 1 if it is signed; else that of the directive
};
using KnownDirectives = KnownSpellings<KnownDirective>;

/// A branch to a name and nothing else, as the template of its shape says.
struct KnownBranch {
  Spelling spelling;
  SymbolTemplate symbol;
  u32 generation;  ///< of that template: instructions may mean something else now
  u32 word;        ///< if it may not grow: its four bytes, the first one lowest
  u8 size;         ///< of the mnemonic
};
using KnownBranches = KnownSpellings<KnownBranch>;

}  // namespace xas
