// SPDX-License-Identifier: Apache-2.0
// The one hash of names: mnemonics, registers, directives and symbols are all hashed by it, once, when they are
// scanned. Generated tables (targets/isagen) and constexpr tables (directives) are laid out for it, so it must give
// the same value at compile time, in the generator and in the scanner.
//
// What is strange: it is made for the names that compilers number. Names that differ only in the low three bits of
// their last character (.LVL120 ... .LVL127) have consecutive hashes, so that they are neighbours in a table and share
// cache lines; and for names of up to eight characters (ten, if the first two are ".L") it loses nothing: equal hash,
// size and low bits mean equal names (every step is a bijection), so that a table need not compare them. See NameKey.
#pragma once

#include <bit>
#include <cstring>
#include <string_view>

#include "xas/types.hpp"

namespace xas {

inline constexpr u64 hash_multiplier = 0x9E3779B97F4A7C15ull;

/// Up to eight characters of a name as a little-endian integer, the missing ones zero.
constexpr u64 name_word(const char* p, std::size_t n) {
  u64 word = 0;
  for (std::size_t i = 0; i < n; ++i) word |= u64(u8(p[i])) << (8 * i);
  return word;
}

constexpr u64 hash_step(u64 h, u64 word) {
  h = (h ^ word) * hash_multiplier;
  return h ^ (h >> 32);
}

namespace hash_detail {

/// `Load(p, n)` gives the next word of n (1 to 8) characters.
template <typename Load>
constexpr u64 hash(const char* p, std::size_t n, Load load) {
  if (n == 0) return 0;
  const u64 low = u64(p[n - 1]) & 7;
  const std::size_t skip = n > 2 && p[0] == '.' && p[1] == 'L' ? 2 : 0;
  u64 h = n | u64(skip) << 32;
  p += skip;
  n -= skip;
  for (; n > 8; p += 8, n -= 8) h = hash_step(h, load(p, 8));
  const u64 last = load(p, n) & ~(u64(7) << (8 * (n - 1)));
  return hash_step(h, last) + low;
}

}  // namespace hash_detail

/// Hash of any name; works on unpadded memory and at compile time.
constexpr u64 hash_name(std::string_view s) {
  return hash_detail::hash(s.data(), s.size(), [](const char* p, std::size_t n) { return name_word(p, n); });
}

/// As name_word, for one to eight characters where eight can be read (all source buffers are padded).
inline u64 name_word_padded(const char* p, std::size_t n) {
  u64 word;
  std::memcpy(&word, p, 8);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word & (~u64(0) >> (64 - 8 * n));
}

/// As hash_name, for text behind which at least eight more bytes can be read.
inline u64 hash_name_padded(const char* p, std::size_t n) { return hash_detail::hash(p, n, name_word_padded); }

/// A mnemonic as a number (xas_mnemonic): 31 bits of its hash, so that no version of the tables changes it. The low
/// ones tell the slot in a table of up to 1 << mnemonic_slot_bits names. isagen sees to it that no two of a target are
/// equal.
inline constexpr unsigned mnemonic_slot_bits = 14, mnemonic_tag_bits = 17;
constexpr u32 mnemonic_number(u64 hash) {
  return u32(hash & ((1u << mnemonic_slot_bits) - 1)) | u32(hash >> (64 - mnemonic_tag_bits)) << mnemonic_slot_bits;
}

/// What decides, together with the hash, whether two names are equal. Never 0.
struct NameKey {
  u32 bits = 0;

  static constexpr u32 exact = 1u << 28;
  static constexpr u32 max_size = exact - 2;

  constexpr NameKey() = default;
  constexpr NameKey(const char* p, u32 n) {
    const u32 skip = n > 2 && p[0] == '.' && p[1] == 'L' ? 2 : 0;
    bits = (n + 1) | (n - skip <= 8 ? exact : 0) | (n ? (u32(p[n - 1]) & 7) << 29 : 0);
  }
  /// The names are equal if the hashes are.
  constexpr bool is_exact() const { return bits & exact; }
  constexpr bool operator==(const NameKey&) const = default;
};

/// A name as it was scanned: its text and its hash_name.
struct Name {
  const char* p = nullptr;
  u32 size = 0;
  u64 hash = 0;
  std::string_view text() const { return {p, size}; }
};

}  // namespace xas
