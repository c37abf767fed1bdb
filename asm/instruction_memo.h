// What lines of text assembled to, for the next time the same line comes by: in compiler output, more than half of the
// instructions have stood before, letter by letter.
//
// Remembered are lines of up to 32 characters that are one instruction and came to final bytes, without reading a
// symbol, without a fixup, without a message. As long as no directive changes what instructions mean (`forget`), the
// same characters come to the same bytes. The table is direct-mapped: one cache line an entry, a new line replaces what
// was there.
#pragma once

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "asm/byte_masks.h"
#include "objwriter/big_memory.h"
#include "targets/hash.h"

namespace xas {

/// Where text of up to 32 characters goes in a table of 2^log2 entries.
inline u64 text_slot(const u64 (&words)[4], unsigned log2) {
  u64 h = (words[0] ^ words[2] * 0xA24BAED4963EE407ull) * hash_multiplier;
  h ^= (words[1] ^ words[3] * 0x9FB21C651E98DF25ull) * 0xD6E8FEB86659FD93ull;
  h ^= h >> 29;
  return (h * hash_multiplier) >> (64 - log2);
}

class InstructionMemo {
 public:
  static constexpr u32 max_text = 32;
  static constexpr u32 max_bytes = 16;

  /// The text of a line, zeros behind it.
  struct Line {
    u64 words[max_text / 8];
    u32 size;
  };

  struct alignas(64) Entry {
    u64 words[max_text / 8];
    u8 bytes[max_bytes];
    u32 generation;
    u8 text_size;
    u8 size;
  };

  /// Reads the line at p, up to its newline; false if that is too far. 64 bytes behind p can be read.
  static bool read(const char* p, Line& line);

  /// What the line came to; null if that is not known.
  const Entry* find(const Line& line) const {
    if (!entries_) return nullptr;
    const Entry& e = entries_[slot(line)];
    const u64 differ = (e.words[0] ^ line.words[0]) | (e.words[1] ^ line.words[1]) | (e.words[2] ^ line.words[2]) |
                       (e.words[3] ^ line.words[3]);
    return differ == 0 && e.text_size == line.size && e.generation == generation_ ? &e : nullptr;
  }

  /// The line came to `size` bytes, at most max_bytes.
  void put(const Line& line, const u8* bytes, u32 size) {
    if (!entries_) {
      memory_ = ZeroedMemory((entries + 1) * sizeof(Entry), huge_from);
      if (!memory_.get()) return;
      entries_ = reinterpret_cast<Entry*>((reinterpret_cast<std::uintptr_t>(memory_.get()) + alignof(Entry) - 1) &
                                          ~std::uintptr_t(alignof(Entry) - 1));
    }
    Entry& e = entries_[slot(line)];
    std::memcpy(e.words, line.words, sizeof e.words);
    std::memcpy(e.bytes, bytes, size);
    e.generation = generation_;
    e.text_size = u8(line.size);
    e.size = u8(size);
  }

  /// Instructions may mean something else from here on.
  void forget() { ++generation_; }

  /// ZeroedMemory's. Where the text is long, the table is used so much that it is worth a huge page.
  u64 huge_from = ~u64(0);

 private:
  static constexpr u32 entries_log2 = 14;
  static constexpr u32 entries = 1 << entries_log2;

  static u64 slot(const Line& line) { return text_slot(line.words, entries_log2); }

  ZeroedMemory memory_;
  Entry* entries_ = nullptr;
  u32 generation_ = 1;
};

inline bool InstructionMemo::read(const char* p, Line& line) {
#if defined(__SSE2__)
  const auto load = [](const void* at) { return _mm_loadu_si128(static_cast<const __m128i*>(at)); };
  const __m128i low = load(p), high = load(p + 16), newline = _mm_set1_epi8('\n');
  const u32 found = u32(_mm_movemask_epi8(_mm_cmpeq_epi8(low, newline))) |
                    u32(_mm_movemask_epi8(_mm_cmpeq_epi8(high, newline))) << 16;
  if (found == 0) return false;
  line.size = u32(std::countr_zero(found));
  const u8* const mask = mask_of_first(line.size);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(line.words), _mm_and_si128(low, load(mask)));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(line.words + 2), _mm_and_si128(high, load(mask + 16)));
#else
  const void* newline = std::memchr(p, '\n', max_text);
  if (!newline) return false;
  line.size = u32(static_cast<const char*>(newline) - p);
  u8 text[max_text];
  std::memcpy(text, p, max_text);
  for (u32 i = 0; i < max_text; ++i) text[i] &= mask_of_first(line.size)[i];
  std::memcpy(line.words, text, max_text);
#endif
  return true;
}

}  // namespace xas
