// SPDX-License-Identifier: Apache-2.0
// A table from names to directives, made at compile time of all topics.
#pragma once

#include <array>
#include <bit>
#include <span>

#include "asm/read/reader.h"

namespace xas {

/// Arrays of directives, each of one topic.
using DirectiveTopics = std::span<const std::span<const Directive>>;

constexpr std::size_t count_directives(DirectiveTopics topics) {
  std::size_t n = 0;
  for (const std::span<const Directive> topic : topics) n += topic.size();
  return n;
}

/// An open-addressing table over any number of directive arrays, laid out at compile time.
template <std::size_t Count>
class DirectiveTable {
 public:
  static constexpr std::size_t slots = std::bit_ceil(Count * 4);

  constexpr explicit DirectiveTable(DirectiveTopics topics) {
    std::array<bool, slots> taken{};  // GCC's sanitizer takes no comparison of an address with null for a constant
    for (std::span<const Directive> topic : topics) {
      for (const Directive& d : topic) {
        const u64 hash = hash_name(d.name);
        std::size_t at = hash & (slots - 1);
        while (taken[at]) at = (at + 1) & (slots - 1);
        taken[at] = true;
        slots_[at] = {hash, NameKey(d.name.data(), u32(d.name.size())), &d};
      }
    }
  }

  constexpr const Directive* find(const Name& name) const {
    const NameKey key(name.p, name.size);
    for (std::size_t at = name.hash & (slots - 1);; at = (at + 1) & (slots - 1)) {
      const Slot& slot = slots_[at];
      if (!slot.directive) return nullptr;
      if (slot.hash != name.hash || slot.key != key) continue;
      if (key.is_exact() || slot.directive->name == name.text()) return slot.directive;
    }
  }

 private:
  struct Slot {
    u64 hash = 0;
    NameKey key;
    const Directive* directive = nullptr;
  };
  std::array<Slot, slots> slots_ = {};
};

}  // namespace xas
