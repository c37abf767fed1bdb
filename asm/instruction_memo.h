// What lines of text assembled to, for the next time the same line comes by: in compiler output, more than half of the
// instructions have stood before, letter by letter.
//
// Remembered are lines of up to 30 characters that are one instruction and came to final bytes, without reading a
// symbol, without a fixup, without a message. As long as no directive changes what instructions mean (`forget`), the
// same characters come to the same bytes. The table is direct-mapped: one cache line an entry, a new line replaces what
// was there.
#pragma once

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "asm/byte_masks.h"
#include "objwriter/big_memory.h"
#include "targets/hash.h"

namespace xas {

/// What is known of texts of up to 30 characters, in a direct-mapped table: a new one takes the place of what was
/// there. `Entry::words` is the text, zeros behind, and its size in the last byte; an entry counts as long as its
/// generation is the table's.
template <class Entry>
class TextTable {
 public:
  const Entry* find(const u64 (&words)[4]) const {
    if (!entries_) return nullptr;
    const Entry& e = entries_[slot(words)];
    const u64 differ = (e.words[0] ^ words[0]) | (e.words[1] ^ words[1]) | (e.words[2] ^ words[2]) |
                       (e.words[3] ^ words[3]);
    return differ == 0 && e.generation == generation_ ? &e : nullptr;
  }

  /// The entry for a text, whose words and generation are set; the rest is what it was. Null if there is no memory.
  Entry* put(const u64 (&words)[4]) {
    if (2 * puts_ >> log2_ && log2_ < most_log2 && !grow()) return nullptr;
    ++puts_;
    Entry& e = entries_[slot(words)];
    std::memcpy(e.words, words, sizeof e.words);
    e.generation = generation_;
    return &e;
  }

  /// Instructions may mean something else from here on.
  void forget() { ++generation_; }
  u32 generation() const { return generation_; }

 private:
  u64 slot(const u64 (&words)[4]) const {
    u64 h = (words[0] ^ words[2] * 0xA24BAED4963EE407ull) * hash_multiplier;
    h ^= (words[1] ^ words[3] * 0x9FB21C651E98DF25ull) * 0xD6E8FEB86659FD93ull;
    h ^= h >> 29;
    return (h * hash_multiplier) >> (64 - log2_);
  }

  /// The table becomes as large as what is read deserves: nearly every line of a small text would touch a page of a
  /// large table for the first time, which takes as long as reading a dozen lines.
  bool grow() {
    const u64 size = entries_ ? u64(1) << log2_ : 0;
    log2_ = u8(size ? log2_ + 2 : first_log2);
    // The largest is used so much that it is worth a huge page.
    ZeroedMemory memory((sizeof(Entry) << log2_) + alignof(Entry), log2_ == most_log2 ? 0 : ~u64(0));
    const auto start = reinterpret_cast<std::uintptr_t>(memory.get());
    Entry* const old = std::exchange(entries_, nullptr);
    if (start) {
      entries_ = reinterpret_cast<Entry*>((start + alignof(Entry) - 1) & ~std::uintptr_t(alignof(Entry) - 1));
      for (const Entry* e = old; e != old + size; ++e)
        if (e->generation == generation_) entries_[slot(e->words)] = *e;
    }
    memory_ = std::move(memory);
    return start != 0;
  }

  static constexpr u8 first_log2 = 8, most_log2 = 14;

  ZeroedMemory memory_;
  Entry* entries_ = nullptr;
  u32 puts_ = 1;
  u32 generation_ = 1;
  u8 log2_ = 0;  ///< of the number of entries
};

/// The text of a line as a key of a TextTable.
struct InstructionLine {
  u64 words[4];
  u32 size;

  /// Reads the line at p, up to its newline; false if that is more than 30 characters away. 64 bytes behind p can be
  /// read.
  bool read(const char* p);
};

/// What a line came to.
struct alignas(64) RememberedInstruction {
  static constexpr u32 max_bytes = 16;

  u64 words[4];
  u8 bytes[max_bytes];
  u32 generation;
  u8 size;
};

using InstructionMemo = TextTable<RememberedInstruction>;

inline bool InstructionLine::read(const char* p) {
#if defined(__SSE2__)
  const auto load = [](const void* at) { return _mm_loadu_si128(static_cast<const __m128i*>(at)); };
  const __m128i low = load(p), high = load(p + 16), newline = _mm_set1_epi8('\n');
  const u32 found = u32(_mm_movemask_epi8(_mm_cmpeq_epi8(low, newline))) |
                    u32(_mm_movemask_epi8(_mm_cmpeq_epi8(high, newline))) << 16;
  size = u32(std::countr_zero(found));
  if (size >= 31) return false;
  const u8* const mask = mask_of_first(size);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(words), _mm_and_si128(low, load(mask)));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(words + 2), _mm_and_si128(high, load(mask + 16)));
#else
  const void* newline = std::memchr(p, '\n', 31);
  if (!newline) return false;
  size = u32(static_cast<const char*>(newline) - p);
  std::memset(words, 0, sizeof words);
  std::memcpy(words, p, size);
#endif
  words[3] |= u64(size) << 56;
  return true;
}

}  // namespace xas
