// SPDX-License-Identifier: Apache-2.0
// Sections while they are being filled.
//
// A section is a chain of subsections in the order of their numbers; most have one, number 0. A subsection is one
// growing buffer of *fixed bytes*, and two flat arrays beside it: `fragments`, the pieces whose size is not known yet
// and which own no bytes in the buffer, and `fixups`, the fields that are not known yet. The offset of anything is
//
//     offset(pos, fragment) = base + pos + sizes of the first `fragment` fragments
//
// where `pos` counts fixed bytes and `fragment` counts fragments before it. Both are known when a label is defined; the
// sizes are found in layout.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "asm/diagnostics/diag.h"
#include "asm/program/fragment.h"
#include "objwriter/big_memory.h"
#include "objwriter/elf_constants.h"
#include "targets/value.h"

namespace xas {

/// What a mapping symbol said last ($x, $d); `off` where the target has none. `other_code`: instructions, but not of
/// the encoding that is selected now (ARM).
enum class Mapping : u8 { none, data, other_code, code, off };

struct Fixup {
  u32 pos;    ///< fixed bytes before the field
  u32 fragment;   ///< fragments before the field
  i64 addend;
  SymbolId add;
  SymbolId sub;
  u16 kind;      ///< FixupKind or the target's
  u16 modifier;
  SourceLoc loc;
};

/// So many fixups, or fragments, ahead of the one that is looked at, symbols are fetched into the cache.
inline constexpr std::size_t prefetch_distance = 12;

/// Bytes of contents a section may have; offsets into the buffer are u32.
inline constexpr u64 max_section_bytes = 0xFFFF0000ull;

struct Subsection {
  u32 section = 0;  ///< index of its section
  u32 id = 0;       ///< its own
  i32 number = 0;
  bool nobits = false;  ///< as its section's
  bool has_instructions = false;
  u32 next = ~u32(0);  ///< id of the next subsection of the same section, by number

  u8* data = nullptr;  ///< null in sections without contents
  u64 size = 0;        ///< fixed bytes
  u64 capacity = 0;
  std::unique_ptr<std::vector<u64>> paddings;  ///< where alignments end whose padding is among the fixed bytes
  BigVector<Fragment> fragments;
  BigVector<Fixup> fixups;

  u64 base = 0;    ///< offset in the section (layout)
  u64 growth = 0;  ///< sum of all fragments' sizes (layout)
  BigVector<u64> before;  ///< for each fragment, the sum of the sizes of those before it (layout); apart from the
                          ///< fragments, because looking labels up is what `gcc -g` output costs
  Mapping mapping = Mapping::none;  ///< as Section::mapping, where subsections have their own (notes_subsections)
  u64 final_size = ~u64(0);  ///< `size` and number of fragments when layout made it final
  u32 final_fragments = 0;

  Subsection() = default;
  Subsection(const Subsection&) = delete;
  Subsection& operator=(const Subsection&) = delete;
  ~Subsection() {
    if (data) big_free(data, capacity);
  }
  /// Bytes and fragments are where they are needed, and nothing is looked for in them again. Places stay known.
  void release_contents() {
    if (data) big_free(data, capacity);
    data = nullptr;
    capacity = 0;
    fragments = {};
  }

  void note_padding(u64 end) {
    if (!paddings) paddings = std::make_unique<std::vector<u64>>();
    paddings->push_back(end);
  }
  /// Nothing stands behind the last padding, or the last piece whose size is found later.
  bool ends_in_padding() const {
    return (paddings && paddings->back() == size) || (!fragments.empty() && fragments.back().pos == size);
  }
  /// Whether such an alignment stands between two places among the fixed bytes.
  bool has_padding_between(u64 a, u64 b) const {
    if (!paddings) return false;
    const auto end = std::upper_bound(paddings->begin(), paddings->end(), std::min(a, b));
    return end != paddings->end() && *end <= std::max(a, b);
  }

  /// Room for n more bytes; returns where they go. Not for sections without contents.
  u8* reserve(u64 n) {
    if (capacity - size < n) grow(n);
    return data + size;
  }
  void append(const void* p, u64 n) {
    std::memcpy(reserve(n), p, n);
    size += n;
  }
  u64 offset(u64 pos, u32 fragment) const {
    return base + pos + (fragment < before.size() ? before[fragment] : growth);
  }
  /// Where a fragment starts, in the section.
  u64 offset(const Fragment& f) const { return base + f.pos + before[u32(&f - fragments.data())]; }
  u64 total() const { return size + growth; }
  /// Layout has made it final, and nothing has been added to its section since then.
  bool is_final() const { return final_size == size && final_fragments == fragments.size(); }
  void grow(u64 n);
};

struct Section {
  std::string_view name;
  u32 type = 0;     ///< SHT_*
  u64 flags = 0;    ///< SHF_*
  u64 entsize = 0;
  u8 log2_align = 0;
  bool nobits = false;
  bool has_prefalign = false;
  bool comdat = false;
  Mapping mapping = Mapping::none;  ///< what the last mapping symbol says, while another section is current; ARM:
                                    ///< `code` is A32, whatever is selected (Program::mapping_of)
  bool absolute = false;            ///< that of .struct, which is in no object
  SymbolId group = no_symbol;       ///< signature of its section group
  SymbolId link_order = no_symbol;  ///< 'o': a symbol in (or the section symbol of) the section it is linked to
  bool link_order_zero = false;     ///< 'o' with operand 0
  u8 selection = 0;                 ///< COFF: IMAGE_COMDAT_SELECT_*, 0 if it is no COMDAT; `group` is its symbol
  u32 characteristics = 0;          ///< COFF: IMAGE_SCN_*; `flags` has SHF_EXECINSTR for code
  u64 padding = 0;                  ///< COFF: bytes at the end that the section definition does not count
  u64 unique = ~u64(0);             ///< ,unique,N (32 bits)
  u32 first = 0;                    ///< id of its first subsection by number
  u32 default_subsection = 0;       ///< id of subsection 0
  SymbolId symbol = no_symbol;      ///< its section symbol, once something asked for it
  u32 info = 0;                     ///< sh_info
  SourceLoc loc = 0;
  u64 size = 0;                     ///< set by layout
  u32 index = ~u32(0);              ///< in the object (set when the object is made)

  bool is_code() const { return flags & elf::SHF_EXECINSTR; }
};

/// What is wrong with a section that has more bytes than this limit (Program::section_limit).
std::string beyond_limit(const Section& section, u64 limit);
/// What is wrong with an alignment to 2^log2 where 2^largest is the most.
std::string beyond_alignment(i64 log2, unsigned largest);

/// What a section begins and ends with where only what is otherwise is marked.
inline Mapping implicit_mapping(const Section& s) { return s.is_code() ? Mapping::code : Mapping::data; }

/// Sections by a hash of all that tells them apart. Several may have the same hash.
class SectionIndex {
 public:
  void add(u64 key, u32 section) {
    if (2 * ++used_ > slots_.size()) grow();
    put({key, section + 1});
  }
  /// The first section under `key` for which `is` is true; ~0 if there is none.
  template <class Is>
  u32 find(u64 key, Is&& is) const {
    if (slots_.empty()) return ~u32(0);
    for (u64 at = place(key); slots_[at].number; at = next(at))
      if (slots_[at].key == key && is(slots_[at].number - 1)) return slots_[at].number - 1;
    return ~u32(0);
  }
  void clear() {
    slots_.clear();
    used_ = 0;
  }

 private:
  struct Slot {
    u64 key;
    u32 number;  ///< of the section, plus one; 0: empty
  };
  u64 place(u64 key) const { return key & (slots_.size() - 1); }
  u64 next(u64 at) const { return place(at + 1); }
  void put(const Slot& slot) {
    u64 at = place(slot.key);
    while (slots_[at].number) at = next(at);
    slots_[at] = slot;
  }
  void grow() {
    constexpr std::size_t first_slots = 64;
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(std::max(4 * slots_.size(), first_slots)));
    for (const Slot& slot : old)
      if (slot.number) put(slot);
  }

  std::vector<Slot> slots_;  ///< open addressing
  u32 used_ = 0;
};

/// An array that grows without moving what is in it.
template <class T>
class StableArray {
 public:
  StableArray() = default;
  StableArray(const StableArray&) = delete;
  StableArray& operator=(const StableArray&) = delete;
  ~StableArray() { clear(); }

  T& emplace_back() {
    if (size_ == blocks_.size() << block_log2) blocks_.push_back(std::make_unique_for_overwrite<Block>());
    T* const made = new (at(size_)) T;
    ++size_;
    return *made;
  }
  T& operator[](u32 i) { return *at(i); }
  const T& operator[](u32 i) const { return *at(i); }
  u32 size() const { return size_; }
  void clear() {
    while (size_) at(--size_)->~T();
    blocks_.clear();
  }

 private:
  static constexpr u32 block_log2 = 5;
  struct Block {
    alignas(T) std::byte bytes[sizeof(T) << block_log2];
  };
  T* at(u32 i) const {
    return reinterpret_cast<T*>(blocks_[i >> block_log2]->bytes) + (i & ((1u << block_log2) - 1));
  }

  std::vector<std::unique_ptr<Block>> blocks_;
  u32 size_ = 0;
};

/// All sections and subsections of an assembly. References stay valid.
class SectionTable {
 public:
  /// A new section with its subsection 0. The name must stay, and be padded as for SymbolTable::intern.
  Section& create(std::string_view name);
  /// Subsection `number` of a section, made if needed.
  Subsection& subsection(Section& section, i32 number);

  /// The section's last subsection, by number.
  u32 last_of(const Section& section) const {
    u32 last = section.first;
    while (sub(last).next != ~u32(0)) last = sub(last).next;
    return last;
  }

  Section& operator[](u32 index) { return sections_[index]; }
  const Section& operator[](u32 index) const { return sections_[index]; }
  Subsection& sub(u32 id) { return subsections_[id]; }
  const Subsection& sub(u32 id) const { return subsections_[id]; }
  u32 size() const { return sections_.size(); }
  u32 subsections() const { return subsections_.size(); }
  u32 index_of(const Section& s) const { return subsections_[s.default_subsection].section; }
  bool has_instructions(const Section& s) const;
  void clear();

 private:
  StableArray<Section> sections_;
  StableArray<Subsection> subsections_;
  u32 near_ = ~u32(0);  ///< id of the subsection that was asked for last: the next one is often behind it
  std::map<std::pair<u32, i32>, u32> numbered_;  ///< by section and number, all but subsections 0
};

}  // namespace xas
