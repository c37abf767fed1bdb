// SPDX-License-Identifier: Apache-2.0
// The sort by reversed text is what string tables cost, so it touches the text as little as it can. Strings are sorted
// by words of eight characters, the ones nearest the string's end most significant and all of them inverted, so that
// ascending words are descending strings; equal ones keep their order. Runs of strings that agree in them are sorted by
// the eight before those, and so on; few strings are compared one by one.
//
// Where strings stay in the order in which they were added, only those are sorted that may share something: most end in
// eight characters that no other one ends in.
//
// Whether a string is a tail of the one sorted before it falls out of the sort (the predecessor has the same characters
// up to where the string ends), and that is all that merging has to know: if a string is a tail of any other, all
// strings between the two in sorted order have it as a tail as well.
#include "objwriter/strtab.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>
#include <utility>

#include "objwriter/endian.h"

namespace xas::obj {

namespace {

constexpr u32 is_tail = u32(1) << 31;
constexpr u32 few = 12;

template <typename Word = u64>
u64 load_word(const char* p) {
  Ordered<Word, std::endian::little> word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

/// A set of words, in which few others seem to be as well.
class WordSet {
 public:
  explicit WordSet(u32 words) : shift_(unsigned(std::countl_zero(u64(words) / 8 + 1))), bits_(~u64(0) >> shift_) {
    bits_.resize(bits_.size() + 1);
  }

  bool has(u64 word) const {
    const u64 h = hash(word), mask = bits_of(h);
    return (bits_[h >> shift_] & mask) == mask;
  }
  /// Whether it was there before.
  bool add(u64 word) {
    const u64 h = hash(word), mask = bits_of(h), before = bits_[h >> shift_];
    bits_[h >> shift_] = before | mask;
    return (before & mask) == mask;
  }

 private:
  static u64 hash(u64 word) { return word * 0x9E3779B97F4A7C15ull; }
  u64 bits_of(u64 hash) const { return u64(1) << (hash >> (shift_ - 6) & 63) | u64(1) << (hash >> (shift_ - 12) & 63); }

  unsigned shift_;
  std::vector<u64> bits_;
};

struct Comparison {
  bool greater;  ///< `a` sorts before `b`
  bool tail;     ///< `b` is a tail of `a`
};

/// Compares two strings by their reversed text, leaving out the last `depth` characters, in which they agree.
Comparison compare_tails(const char* a, u32 a_size, const char* b, u32 b_size, u32 depth) {
  u32 left = std::min(a_size, b_size) - depth;
  const char* p = a + (a_size - depth);
  const char* q = b + (b_size - depth);
  for (; left >= 8; left -= 8) {
    p -= 8;
    q -= 8;
    u64 x = load_word(p);
    u64 y = load_word(q);
    if (x != y) return {x > y, false};
  }
  while (left-- > 0) {
    --p;
    --q;
    if (*p != *q) return {u8(*p) > u8(*q), false};
  }
  return {a_size > b_size, a_size >= b_size};
}

void copy_text(u8* out, const char* text, u32 size) {
  if (size >= 16 && size <= 32) {
    std::memcpy(out, text, 16);
    std::memcpy(out + size - 16, text + size - 16, 16);
  } else if (size >= 8 && size < 16) {
    std::memcpy(out, text, 8);
    std::memcpy(out + size - 8, text + size - 8, 8);
  } else {
    std::memcpy(out, text, size);
  }
  out[size] = 0;
}

}  // namespace

/// The eight characters of a string that stand before its last `depth` ones, the last of them most significant; zero
/// where there are none.
u64 StringTable::tail_word(u32 number, u32 depth) const {
  const String& s = strings_[number];
  u64 word = 0;
  if (s.size >= depth + 8) {
    word = load_word(s.text + (s.size - depth - 8));
  } else if (s.size > depth) {
    u32 left = s.size - depth;
    if (s.size >= 8) word = load_word(s.text) << (64 - 8 * left);
    else if (left >= 4)
      word = load_word<u32>(s.text) << (64 - 8 * left) | load_word<u32>(s.text + left - 4) << 32;
    else
      for (u32 i = 0; i < left; ++i) word |= u64(u8(s.text[i])) << (64 - 8 * (left - i));
  }
  return word;
}

/// Least significant byte first; bytes in which no two items differ are skipped.
void StringTable::radix_sort(Item* items, u32 n) {
  u64 differ = 0;
  for (u32 i = 1; i < n; ++i) differ |= items[i].word ^ items[0].word;
  Item* from = items;
  Item* to = scratch_.data();
  for (unsigned shift = 0; shift < 64; shift += 8) {
    if ((differ >> shift & 0xff) == 0) continue;
    u32 start[256] = {};
    for (u32 i = 0; i < n; ++i) ++start[from[i].word >> shift & 0xff];
    u32 sum = 0;
    for (u32& s : start) sum += std::exchange(s, sum);
    for (u32 i = 0; i < n; ++i) to[start[from[i].word >> shift & 0xff]++] = from[i];
    std::swap(from, to);
  }
  if (from != items) std::memcpy(items, from, n * sizeof(Item));
}

/// `sort` for up to `few`: by insertion, on the next eight characters, loaded once, and on the text before those.
void StringTable::sort_few(const Item* items, u32 n, u32 place, u32 depth) {
  struct Loaded {
    u64 word;  ///< not inverted
    String s;
    u32 number;
  } sorted[few];
  auto compare = [depth](const Loaded& a, const Loaded& b) -> Comparison {
    if (a.word != b.word) {
      const u32 left = b.s.size - depth;
      return {a.word > b.word, left == 0 || (left < 8 && (a.word ^ b.word) >> (64 - 8 * left) == 0)};
    }
    if (std::min(a.s.size, b.s.size) < depth + 8) return {a.s.size > b.s.size, a.s.size >= b.s.size};
    return compare_tails(a.s.text, a.s.size, b.s.text, b.s.size, depth + 8);
  };
  for (u32 i = 0; i < n; ++i) {
    const u32 number = items[i].number;
    const Loaded item = {tail_word(number, depth), strings_[number], number};
    u32 k = i;
    for (; k > 0 && compare(item, sorted[k - 1]).greater; --k) sorted[k] = sorted[k - 1];
    sorted[k] = item;
  }
  for (u32 i = 0; i < n; ++i)
    sorted_[place + i] = sorted[i].number | (i > 0 && compare(sorted[i - 1], sorted[i]).tail ? is_tail : 0);
}

/// Sorts `items`, which come in the order of their numbers and agree in their last `depth` characters, into
/// `sorted_[place]` and on. Where there is nothing to divide it loops instead of calling itself, so that two names of a
/// megabyte are harmless.
void StringTable::sort(Item* items, u32 n, u32 place, u32 depth) {
  for (;; depth += 8) {
    if (n <= few) return sort_few(items, n, place, depth);
    for (u32 i = 0; i < n; ++i) items[i].word = ~tail_word(items[i].number, depth);
    if (n < 200)
      std::sort(items, items + n,
                [](const Item& a, const Item& b) { return std::tie(a.word, a.number) < std::tie(b.word, b.number); });
    else
      radix_sort(items, n);

    // Equal words whose last character is the inverted zero are of equal strings, which end there.
    auto ends = [](u64 word) { return (word & 0xff) == 0xff; };
    if (items[0].word == items[n - 1].word && !ends(items[0].word)) continue;
    u64 before = 0;
    for (u32 i = 0, end; i < n; i = end) {
      const auto [word, number] = items[i];
      for (end = i + 1; end < n && items[end].word == word; ++end) {
      }
      if (end - i > 1 && !ends(word)) {
        sort(items + i, end - i, place + i, depth + 8);
      } else {
        sorted_[place + i] = number;
        if (i > 0 && ends(word)) {
          const u32 characters = strings_[number].size - depth;
          if (characters == 0 || (word ^ before) >> (64 - 8 * characters) == 0) sorted_[place + i] |= is_tail;
        }
        for (u32 k = i + 1; k < end; ++k) sorted_[place + k] = items[k].number | is_tail;
      }
      before = word;
    }
    return;
  }
}

/// The items to be sorted are those of all strings.
void StringTable::collect_all() {
  items_.resize(strings_.size());
  for (u32 i = 0; i < items_.size(); ++i) items_[i].number = i;
}

/// The items to be sorted are those of strings that may be a tail of another, and of those that may have such a tail:
/// of a word or more, those that end in the same word; of less, those that others end in.
void StringTable::collect_sharing() {
  collect_all();
  WordSet words(u32(items_.size())), shared(u32(items_.size()));
  u32 sizes = 0;  // of strings that are shorter than a word: a bit for each
  for (Item& item : items_) {
    const u32 size = strings_[item.number].size;
    if (size == 0) continue;
    item.word = tail_word(item.number, 0);
    if (words.add(item.word)) shared.add(item.word);
    if (size < 8) sizes |= u32(1) << size;
  }
  if (sizes) {
    for (const Item& item : items_) {
      const u32 size = std::min<u32>(strings_[item.number].size, 8);
      for (u32 shorter = sizes & ((u32(1) << size) - 1); shorter; shorter &= shorter - 1) {
        const u64 tail = item.word & ~u64(0) << (64 - 8 * std::countr_zero(shorter));
        if (!words.has(tail)) continue;
        shared.add(tail);
        shared.add(item.word);
      }
    }
  }
  std::erase_if(items_, [&](const Item& item) { return strings_[item.number].size == 0 || !shared.has(item.word); });
}

void StringTable::finish(Order order) {
  constexpr u32 many = 100;
  if (order == Order::as_added_all)
    items_.clear();
  else if (order == Order::sorted || strings_.size() < many)
    collect_all();
  else
    collect_sharing();
  const u32 n = u32(items_.size());
  sorted_.resize(n);
  scratch_.resize(n);
  if (n > 0) sort(items_.data(), n, 0, 0);
  kept_.clear();
  size_ = start_;
  if (order == Order::sorted)
    place_sorted();
  else
    place_as_added(order);
}

void StringTable::place_sorted() {
  for (u32 entry : sorted_) {
    String& s = strings_[entry & ~is_tail];
    if (s.size == 0) {
      s.offset = 0;
    } else if (entry & is_tail) {
      s.offset = u32(size_ - 1 - s.size);
    } else {
      s.offset = u32(size_);
      size_ += s.size + 1;
      kept_.push_back(entry);
    }
  }
}

/// First finds out which strings are kept, then numbers them in the order in which they were added, then places those
/// that are part of others.
void StringTable::place_as_added(Order order) {
  u32 last_size = 0;
  for (u32& entry : sorted_) {
    String& s = strings_[entry & ~is_tail];
    if (order == Order::as_added_whole && s.size != last_size) entry &= ~is_tail;
    last_size = s.size;
    s.offset = entry & is_tail;
  }
  for (u32 i = 0; i < strings_.size(); ++i) {
    String& s = strings_[i];
    if (s.offset != 0 || s.size == 0) continue;
    s.offset = u32(size_);
    size_ += s.size + 1;
    kept_.push_back(i);
  }
  u64 end = 0;  // offset of the terminating zero of the last string kept
  for (u32 entry : sorted_) {
    String& s = strings_[entry & ~is_tail];
    if (s.size == 0) s.offset = 0;
    else if (entry & is_tail) s.offset = u32(end - s.size);
    else end = s.offset + s.size;
  }
}

void StringTable::write(u8* out) const {
  out += start_;
  for (u32 number : kept_) {
    const String& s = strings_[number];
    copy_text(out, s.text, s.size);
    out += s.size + 1;
  }
}

}  // namespace xas::obj
