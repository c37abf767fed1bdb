// SPDX-License-Identifier: Apache-2.0
// String tables: offsets for names, where a name that is the tail of another shares its bytes (".text" in
// ".rela.text").
//
// Both reference assemblers find the sharings in the same way: sort all strings by their reversed text, then let each
// one that is a tail of the last one kept, going from the greatest to the least, be part of it. They differ in the
// order of the strings kept: llvm-mc writes them as sorted, GNU as in the order in which they were added. In COFF
// objects GNU as does not share tails.
#pragma once

#include <string_view>
#include <vector>

#include "objwriter/big_memory.h"
#include "xas/types.hpp"

namespace xas::obj {

class StringTable {
 public:
  enum class Order : u8 {
    sorted,
    as_added,
    as_added_whole,  ///< only equal strings are shared
    as_added_all,    ///< nothing is shared
  };

  /// Forgets all strings; memory is kept. The first string will be at offset `start` of the table.
  void clear(u64 start = 1) {
    strings_.clear();
    kept_.clear();
    size_ = start_ = start;
  }
  void reserve(u64 strings) { strings_.reserve(strings); }

  /// Adds a string, which must live until `write`, and returns its number: 0, 1, 2, ... Equal strings get different
  /// numbers and the same offset. The empty string has offset 0.
  u32 add(std::string_view s) {
    strings_.push_back({s.data(), u32(s.size()), 0});
    return u32(strings_.size() - 1);
  }

  /// Decides all offsets. No `add` after it.
  void finish(Order order);

  /// Bytes of the table. Offsets are only good if this is below 4 GiB.
  u64 size() const { return size_; }
  u32 offset(u32 number) const { return strings_[number].offset; }
  /// Writes what stands at [start, size()) into the table that begins at `out`.
  void write(u8* out) const;

 private:
  struct String {
    const char* text;
    u32 size;
    u32 offset;
  };

  /// A string in the sort, with the eight characters that it is sorted by at this time.
  struct Item {
    u64 word;
    u32 number;
  };

  void collect_all();
  void collect_sharing();
  void sort(Item* items, u32 n, u32 place, u32 depth);
  void sort_few(const Item* items, u32 n, u32 place, u32 depth);
  void radix_sort(Item* items, u32 n);
  u64 tail_word(u32 number, u32 depth) const;
  void place_sorted();
  void place_as_added(Order order);

  BigVector<String> strings_;
  BigVector<Item> items_;  ///< of the strings that may share bytes
  BigVector<Item> scratch_;
  std::vector<u32> sorted_;  ///< numbers of `items_`, descending by reversed text; is_tail: part of the one before it
  std::vector<u32> kept_;    ///< numbers of the strings that have bytes of their own, in file order
  u64 start_ = 1;
  u64 size_ = 1;
};

}  // namespace xas::obj
