// SPDX-License-Identifier: Apache-2.0
// The lowest level of reading: what kind a character is, where a name ends, and its hash.
//
// All text ends with a NUL and can be read 64 bytes beyond it, so no scan checks for the end.
#pragma once

#include <bit>
#include <cstring>
#include <string_view>

#include "targets/hash.h"
#include "targets/target_info.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace xas {

enum CharClass : u8 {
  char_name_start = 1,  ///< may start a name: letters _ . $ and, per target, others
  char_name = 2,        ///< may continue it: those and digits
  char_digit = 4,
  char_blank = 8,       ///< space, tab, carriage return, form feed
  char_end = 16,        ///< may end a statement: newline, NUL, separator, and comment starters
  char_hex = 32,
};

/// Classes of all characters for one target and mode.
struct CharTable {
  u8 of[256] = {};
  char separator = ';';
  std::string_view comment;  ///< "#", "//", "@"
  char line_comment = '#';
  bool wide_names = false;   ///< '@' and '?' are name characters (TargetInfo::wide_names)
  bool at_sign_names = false;  ///< so is '@' in names that are no operands (TargetInfo::at_sign)

  explicit CharTable(const TargetInfo& info) {
    for (int c = 'a'; c <= 'z'; ++c) of[c] = of[c - 32] = char_name_start | char_name;
    for (int c = '0'; c <= '9'; ++c) of[c] = char_name | char_digit | char_hex;
    for (int c = 'a'; c <= 'f'; ++c) of[c] |= char_hex, of[c - 32] |= char_hex;
    for (char c : {'_', '.', '$'}) of[u8(c)] = char_name_start | char_name;
    for (int c = 128; c < 256; ++c) of[c] = char_name_start | char_name;
    for (char c : {' ', '\t', '\r', '\f', '\v'}) of[u8(c)] = char_blank;
    separator = info.syntax.separator;
    comment = info.syntax.comment;
    line_comment = info.syntax.line_comment;
    for (char c : {'\n', '\0', separator, comment[0], '/'}) of[u8(c)] |= char_end;
    wide_names = info.names.wide;
    at_sign_names = info.names.at_sign;
    if (wide_names) of[u8('@')] = of[u8('?')] = char_name_start | char_name;
  }
  bool is(char c, u8 classes) const { return of[u8(c)] & classes; }
  bool starts_comment(const char* p) const {
    return *p == comment[0] && (comment.size() == 1 || p[1] == comment[1]);
  }
};

/// The same where more than one or two blanks may stand: LLVM aligns its comments.
inline const char* skip_blank_run(const CharTable& t, const char* p) {
#if defined(__SSE2__)
  for (;; p += 16) {
    const __m128i c = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i blank = _mm_or_si128(_mm_cmpeq_epi8(c, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(c, _mm_set1_epi8('\t')));
    const u32 others = u32(_mm_movemask_epi8(blank)) ^ 0xFFFF;
    if (others == 0) continue;
    p += std::countr_zero(others);
    break;
  }
#endif
  while (t.is(*p, char_blank)) ++p;
  return p;
}

inline const char* skip_blanks(const CharTable& t, const char* p) {
  if (!t.is(*p, char_blank)) return p;
  ++p;
  return t.is(*p, char_blank) ? skip_blank_run(t, p) : p;
}

/// The first character of a string, from q on, that does not stand for itself: the quotation mark that ends it, a
/// backslash, a newline, or a NUL.
inline const char* end_of_plain_string(const char* q) {
#if defined(__SSE2__)
  for (;; q += 16) {
    const __m128i chunk = _mm_loadu_si128(reinterpret_cast<const __m128i*>(q));
    const auto are = [chunk](char c) { return _mm_cmpeq_epi8(chunk, _mm_set1_epi8(c)); };
    const __m128i found = _mm_or_si128(_mm_or_si128(are('"'), are('\\')), _mm_or_si128(are('\n'), are('\0')));
    if (const u32 mask = u32(_mm_movemask_epi8(found))) return q + std::countr_zero(mask);
  }
#else
  while (*q != '"' && *q != '\\' && *q != '\n' && *q != '\0') ++q;
  return q;
#endif
}

/// Behind the newline, if nothing but blanks and a comment stands between it and q, in text that ends at `end`; else
/// null.
inline const char* next_line(const CharTable& t, const char* q, const char* end) {
  if (*q != '\n') {
    q = skip_blanks(t, q);
    if (t.starts_comment(q)) q = static_cast<const char*>(std::memchr(q, '\n', std::size_t(end - q)));
    if (!q || *q != '\n') return nullptr;
  }
  return q + 1;
}

inline constexpr auto hex_digits = [] {
  struct {
    u8 of[256];
  } t = {};
  for (u8& v : t.of) v = 0xFF;
  for (u8 i = 0; i < 10; ++i) t.of['0' + i] = i;
  for (u8 i = 0; i < 6; ++i) t.of['a' + i] = t.of['A' + i] = u8(10 + i);
  return t;
}();

/// plain number := 0 | ['-'] decimal | 0x hexadecimal; the character behind it, or null.
inline const char* plain_number(const char* q, u64& value) {
  u64 v = 0;
  if (*q == '0') {
    ++q;
    if (*q == 'x') {
      const char* const digits = ++q;
      for (u8 d; (d = hex_digits.of[u8(*q)]) < 16; ++q) v = v << 4 | d;
      if (q == digits || q - digits > 16) return nullptr;
    }
  } else {
    const bool negative = *q == '-';
    q += negative;
    const char* const digits = q;
    for (; u8(*q - '0') <= 9; ++q) v = v * 10 + u64(*q - '0');
    if (q == digits || q - digits > 18 || (*digits == '0')) return nullptr;
    if (negative) v = 0 - v;
  }
  value = v;
  return q;
}

/// Whether data of so many bytes, at most eight, can hold the number, with a sign or without.
inline bool fits_in_bytes(i64 number, unsigned bytes) {
  if (bytes == 8) return true;
  return number >= -(i64(1) << (8 * bytes - 1)) && number < (i64(1) << (8 * bytes));
}

/// Text is read once, from the front to the end: memory has it ready by the time that reading comes there, over the
/// ends of pages too, where the processor by itself begins anew.
inline void fetch_text_ahead(const char* p) { __builtin_prefetch(p + 2048); }

/// Length of the run of name characters at p (ASCII letters, digits, _ . $ and bytes from 128).
inline u32 name_length(const char* p) {
#if defined(__SSE2__)
  const char* start = p;
  for (;; p += 16) {
    __m128i c = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    __m128i lower = _mm_or_si128(c, _mm_set1_epi8(0x20));
    // a..z: (lower - 'a') <= 25, unsigned, by saturation; bytes from 128 are negative.
    __m128i letter =
        _mm_cmpeq_epi8(_mm_subs_epu8(_mm_sub_epi8(lower, _mm_set1_epi8('a')), _mm_set1_epi8(25)), _mm_setzero_si128());
    __m128i digit =
        _mm_cmpeq_epi8(_mm_subs_epu8(_mm_sub_epi8(c, _mm_set1_epi8('0')), _mm_set1_epi8(9)), _mm_setzero_si128());
    __m128i other =
        _mm_or_si128(_mm_cmpeq_epi8(c, _mm_set1_epi8('_')),
                     _mm_or_si128(_mm_cmpeq_epi8(c, _mm_set1_epi8('.')), _mm_cmpeq_epi8(c, _mm_set1_epi8('$'))));
    unsigned mask =
        unsigned(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(letter, digit), other))) | unsigned(_mm_movemask_epi8(c));
    if (mask != 0xFFFF) return u32(p - start) + u32(std::countr_one(mask));
  }
#else
  u32 n = 0;
  for (;; ++n) {
    u8 c = u8(p[n]);
    bool name = (u8((c | 0x20) - 'a') <= 25) || u8(c - '0') <= 9 || c == '_' || c == '.' || c == '$' || c >= 128;
    if (!name) return n;
  }
#endif
}

/// The name at p, hashed. Its size is 0 if there is none.
inline Name scan_name(const char* p) {
  u32 n = name_length(p);
  return {p, n, hash_name_padded(p, n)};
}

/// Length of the name at p with those characters that only some object formats have in names: `_f@4`, `?f@@YAXXZ`.
inline u32 name_length(const CharTable& t, const char* p) {
  u32 n = name_length(p);
  if (!t.wide_names || (p[n] != '@' && p[n] != '?')) [[likely]] return n;
  while (t.is(p[n], char_name)) ++n;
  return n;
}

inline Name scan_name(const CharTable& t, const char* p) {
  const u32 n = name_length(t, p);
  return {p, n, hash_name_padded(p, n)};
}

/// The same of a name that a statement is about, and that no modifier may follow.
inline u32 whole_name_length(const CharTable& t, const char* p) {
  u32 n = name_length(t, p);
  while (p[n] == '@' && t.at_sign_names) n += 1 + name_length(t, p + n + 1);
  return n;
}

}  // namespace xas
