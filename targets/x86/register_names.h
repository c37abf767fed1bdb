// SPDX-License-Identifier: Apache-2.0
// Names of registers in operands, the usual ones: these are inlined where operands are read. All others are in
// register_names.cpp.
#pragma once

#include <bit>
#include <cstring>

#include "targets/x86/x86.h"

namespace xas::x86 {

/// The number of a register as directives name it, in any mode, with or without %; -1 if it is none. p moves behind it.
int read_register_name(const char*& p);

/// register := '%' name | '%st' '(' digit ')'. p moves behind it; null (and p stays) if there is no such register in
/// this mode. What follows the usual names is below '0': , ) newline blank. Anything else is left to slow_register.
inline const Reg* X86Target::fast_register(const char*& p) const {
  u64 word;
  std::memcpy(&word, p + 1, 8);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  constexpr u64 ones = 0x0101010101010101;
  const u64 low = (word - '0' * ones) & ~word & 0x80 * ones;  // the first marked byte is the first below '0'
  const unsigned n = low ? unsigned(std::countr_zero(low)) / 8 : 8;
  if (n != 0 && n < 8) [[likely]] {
    const int i = find_register(word & ~(~u64(0) << 8 * n));
    if (i >= 0) [[likely]] {
      const Reg& r = registers.regs[i];
      if (!(r.flags & (bad_registers_ | reg_slow))) [[likely]] {
        p += n + 1;
        return &r;
      }
    }
  }
  return nullptr;
}

/// A register by any of its names, the usual ones first.
inline const Reg* X86Target::parse_reg(const char*& p) {
  if (*p == '%')
    if (const Reg* const r = fast_register(p)) [[likely]]
      return r;
  return slow_register(p);
}

}  // namespace xas::x86
