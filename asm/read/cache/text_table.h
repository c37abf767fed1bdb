// SPDX-License-Identifier: Apache-2.0
// What is known of texts of up to 31 characters: the tables of the line cache (line_cache.h), and its exact lines.
//
// A table is direct-mapped: one cache line an entry, a new text replaces what was there.
#pragma once

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "asm/text/byte_masks.h"
#include "objwriter/big_memory.h"
#include "targets/hash.h"
#include "targets/line_shape.h"

namespace xas {

/// What is known of texts, in a direct-mapped table: a new one takes the place of what was there. It counts until
/// instructions may mean something else. Half of all texts are not known: to find that out, a byte of their hash (a
/// tag) is looked up first, in an array that stays in the cache, which the table does not.
template <class T>
class TextTable {
 public:
  /// Null if the text is not known.
  const T* find(const TextKey& key) const {
    if (!slots_) return nullptr;
    const u64 h = hash(key);
    if (tags_[place(h)] != tag(h)) return nullptr;
    const Slot& s = slots_[place(h)];
    const u64 differ = (s.key[0] ^ key[0]) | (s.key[1] ^ key[1]) | (s.key[2] ^ key[2]) | (s.key[3] ^ key[3]);
    return differ == 0 && s.generation == generation_ ? &s.value : nullptr;
  }

  /// Where what is known of the text goes. Null if there is no memory.
  T* put(const TextKey& key) {
    if (2 * puts_ >> log2_ && log2_ < max_log2 && !grow()) return nullptr;
    ++puts_;
    Slot& s = claim(key);
    std::memcpy(s.key, key, sizeof s.key);
    s.generation = generation_;
    return &s.value;
  }

  /// Instructions may mean something else from here on.
  void forget() { ++generation_; }
  bool has_forgotten() const { return generation_ != first_generation; }
  u32 generation() const { return generation_; }

 private:
  struct Content {
    TextKey key;
    u32 generation;
    T value;
  };
  static constexpr std::size_t cache_line = 64;
  /// In one cache line, if there is room for it.
  struct alignas(sizeof(Content) <= cache_line ? cache_line : alignof(Content)) Slot : Content {};

  static u64 hash(const TextKey& key) {
    u64 h = (key[0] ^ key[2] * 0xA24BAED4963EE407ull) * hash_multiplier;
    h ^= (key[1] ^ key[3] * 0x9FB21C651E98DF25ull) * 0xD6E8FEB86659FD93ull;
    h ^= h >> 29;
    return h * hash_multiplier;
  }
  u64 place(u64 h) const { return h >> (64 - log2_); }
  /// Of bits that have no part in the place. A slot without a tag has nothing in it.
  static u8 tag(u64 h) { return u8(h >> 40) | 1; }
  static constexpr u8 no_tag = 0;

  Slot& claim(const TextKey& key) {
    const u64 h = hash(key);
    tags_[place(h)] = tag(h);
    return slots_[place(h)];
  }

  /// The table becomes as large as what is read deserves: nearly every line of a small text would touch a page of a
  /// large table for the first time, which takes as long as reading a dozen lines.
  bool grow() {
    const u64 size = slots_ ? u64(1) << log2_ : 0;
    const u8 log2 = u8(size ? log2_ + 2 : first_log2);
    RawMemory memory(((sizeof(Slot) + sizeof *tags_) << log2) + alignof(Slot));
    const auto start = reinterpret_cast<std::uintptr_t>(memory.get());
    if (!start) return false;
    const Slot* const old = slots_;
    const u8* const old_tags = tags_;
    log2_ = log2;
    slots_ = reinterpret_cast<Slot*>((start + alignof(Slot) - 1) & ~std::uintptr_t(alignof(Slot) - 1));
    tags_ = reinterpret_cast<u8*>(slots_ + (u64(1) << log2_));
    std::memset(tags_, no_tag, std::size_t(1) << log2);
    for (u64 i = 0; i < size; ++i)
      if (old_tags[i] != no_tag && old[i].generation == generation_) claim(old[i].key) = old[i];
    memory_ = std::move(memory);
    return true;
  }

  static constexpr u8 first_log2 = 8, max_log2 = 14;

  RawMemory memory_;
  Slot* slots_ = nullptr;
  u8* tags_ = nullptr;  ///< behind the slots, one for each
  u32 puts_ = 1;
  static constexpr u32 first_generation = 1;
  u32 generation_ = first_generation;
  u8 log2_ = 0;  ///< of the number of slots
};

/// What a key of text that has room for it depends on besides; else false.
inline bool block_in_key(TextKey& key, u8 block) {
  auto* const bytes = reinterpret_cast<u8*>(key);
  u8 &room = bytes[sizeof key - 2], &size = bytes[sizeof key - 1];
  constexpr u8 has_block = 0x80;
  if (size == max_key_text) return false;
  room = block;
  size |= has_block;
  return true;
}

/// A line as a key.
struct ExactLine {
  TextKey key;
  u32 size;

  /// Reads the line at p, up to its newline; false if it is longer than max_key_text. 64 bytes behind p can be read.
  bool read(const char* p);
  /// What its bytes depend on besides (Emitter::block); false if there is no room for it.
  bool add_block(u8 block) { return block_in_key(key, block); }
};

/// What an exact line came to.
struct FinalBytes {
  static constexpr u32 max_bytes = 16;

  u8 bytes[max_bytes];
  u8 size;
  u8 block;  ///< Emitter::block behind it
};

using ExactLines = TextTable<FinalBytes>;

/// A line's size as the last byte of its key, behind the text.
inline u64 size_in_key(u32 size) { return std::endian::native == std::endian::little ? u64(size) << 56 : size; }

inline bool ExactLine::read(const char* p) {
#if defined(__SSE2__)
  const auto load = [](const void* at) { return _mm_loadu_si128(static_cast<const __m128i*>(at)); };
  const __m128i low = load(p), high = load(p + 16), newline = _mm_set1_epi8('\n');
  const u32 found = u32(_mm_movemask_epi8(_mm_cmpeq_epi8(low, newline))) |
                    u32(_mm_movemask_epi8(_mm_cmpeq_epi8(high, newline))) << 16;
  size = u32(std::countr_zero(found));
  if (size > max_key_text) return false;
  const u8* const mask = mask_of_first(size);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(key), _mm_and_si128(low, load(mask)));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(key + 2), _mm_and_si128(high, load(mask + 16)));
#else
  const void* newline = std::memchr(p, '\n', max_key_text + 1);
  if (!newline) return false;
  size = u32(static_cast<const char*>(newline) - p);
  std::memset(key, 0, sizeof key);
  std::memcpy(key, p, size);
#endif
  key[3] |= size_in_key(size);
  return true;
}

}  // namespace xas
