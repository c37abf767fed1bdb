// SPDX-License-Identifier: Apache-2.0
// The names of a target's registers by groups, where registers are an atom and a number (atoms.h): for those who list
// them (isagen), and to tell whether a packed number is a register.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "xas/types.hpp"

namespace xas {

/// Registers whose names differ in a number: `before`, number, `behind`.
struct RegisterSet {
  std::string_view before, behind;
  u8 atom;
  u8 first, last;        ///< the number in the name
  u8 scale = 1;          ///< the register's own number is that one by this
  bool numbered = true;  ///< false: a single one, without a number in its name
};

/// Calls `take(name, packed)` for each register of the sets.
template <class Take>
void each_register(std::span<const RegisterSet> sets, const Take& take) {
  for (const RegisterSet& s : sets)
    for (unsigned n = s.first; n <= s.last; ++n)
      take(std::string(s.before) + (s.numbered ? std::to_string(n) : std::string()) + std::string(s.behind),
           int(s.atom << 8 | n * s.scale));
}

/// The numbers that registers of an atom have.
struct RegisterRange {
  u8 low = 1, high = 0, scale = 1;
  constexpr bool contains(unsigned n) const { return n >= low && n <= high && n % scale == 0; }
};

template <std::size_t count>
constexpr std::array<RegisterRange, 256> register_ranges(const RegisterSet (&sets)[count]) {
  std::array<RegisterRange, 256> ranges{};
  for (const RegisterSet& s : sets) {
    RegisterRange& r = ranges[s.atom];
    const u8 low = u8(s.first * s.scale), high = u8(s.last * s.scale);
    const bool fresh = r.low > r.high;
    r = {fresh || low < r.low ? low : r.low, fresh || high > r.high ? high : r.high, s.scale};
  }
  return ranges;
}

/// Whether the packed number is that of a register.
inline bool is_packed_register(const std::array<RegisterRange, 256>& ranges, int packed) {
  return packed >= 0 && packed <= 0xFFFF && ranges[unsigned(packed) >> 8].contains(unsigned(packed) & 0xFF);
}

}  // namespace xas
