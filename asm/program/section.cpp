// SPDX-License-Identifier: Apache-2.0
// The table of sections and their subsections' buffers.
#include "asm/program/section.h"

#include <new>

namespace xas {

void Subsection::grow(u64 n) {
  constexpr u64 first_capacity = 128;
  u64 wanted = capacity ? capacity * 2 : first_capacity;
  while (wanted - size < n) wanted *= 2;
  // What is not touched costs nothing, and to move what is there touches fresh memory.
  if (wanted >= min_big_array) wanted *= 8;
  void* more;
  if (wanted < min_big_array) {
    more = std::realloc(data, wanted);
    if (!more) throw std::bad_alloc();
  } else {
    more = big_allocate(wanted);
    if (!more) throw std::bad_alloc();
    if (size) std::memcpy(more, data, size);
    if (data) big_free(data, capacity);
  }
  data = static_cast<u8*>(more);
  capacity = wanted;
}

Section& SectionTable::create(std::string_view name) {
  const u32 index = size();
  Section& section = sections_.emplace_back();
  section.name = name;
  section.first = section.default_subsection = subsections();
  Subsection& sub = subsections_.emplace_back();
  sub.section = index;
  sub.id = section.first;
  return section;
}

Subsection& SectionTable::subsection(Section& section, i32 number) {
  if (number == 0) return sub(section.default_subsection);
  u32* link = &section.first;
  if (near_ != ~u32(0)) {
    Subsection& near = sub(near_);
    if (near.number == number && &(*this)[near.section] == &section) return near;
  }
  const u32 index = index_of(section);
  const auto behind = numbered_.lower_bound({index, number});
  if (behind != numbered_.begin() && std::prev(behind)->first.first == index)
    link = &sub(std::prev(behind)->second).next;
  while (*link != ~u32(0) && sub(*link).number < number) link = &sub(*link).next;
  if (*link != ~u32(0) && sub(*link).number == number) {
    near_ = *link;
    return sub(*link);
  }
  const u32 id = subsections();
  Subsection& fresh = subsections_.emplace_back();
  fresh.section = index;
  fresh.id = id;
  fresh.number = number;
  fresh.nobits = section.nobits;
  fresh.next = *link;
  *link = id;
  numbered_.emplace_hint(behind, std::pair(index, number), id);
  near_ = id;
  return fresh;
}

bool SectionTable::has_instructions(const Section& s) const {
  for (u32 id = s.first; id != ~u32(0); id = sub(id).next)
    if (sub(id).has_instructions) return true;
  return false;
}

void SectionTable::clear() {
  sections_.clear();
  subsections_.clear();
  numbered_.clear();
  near_ = ~u32(0);
}

}  // namespace xas
