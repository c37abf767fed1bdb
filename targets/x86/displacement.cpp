// SPDX-License-Identifier: Apache-2.0
// Displacements that are not what was written: numbers of more bits than the field has, and what {disp16} and {disp32}
// ask for.
#include <fmt/format.h>

#include <utility>

#include "targets/x86/placement.h"
#include "targets/x86/tables.h"

namespace xas::x86 {

/// The error when the displacement of an address cannot be held by its field, else empty. It is as good as its low bits
/// where the result of lea has no others; and LLVM does not look at addresses without registers.
std::string X86Target::displacement_error(const Row& row, const Operand& m, unsigned bits) const {
  if (m.symbolic) return {};
  i64 v = m.value.constant;
  const bool wraps =
      bits < 64 || (options_.gnu && is_narrow_lea(row)) || (!options_.gnu && !m.has_base && !m.has_index);
  i64 low = bits == 16 ? -0xFFFF : wraps ? -0xFFFFFFFFll : -0x80000000ll;
  i64 high = bits == 16 ? 0xFFFF : wraps ? 0xFFFFFFFFll : 0x7FFFFFFF;
  if (v >= low && v <= high) return {};
  return fmt::format("displacement {} does not fit in {} bits ({} to {})", v, bits == 16 ? 16 : 32, low, high);
}

/// The displacement has more than 32 bits: an error, or as many as its field has.
bool X86Target::shorten_displacement(const Row& row, Statement& s, const Placement& f, Emitter& out) const {
  if (wraps_silently(*f.memory)) {
    i64& displacement = s.ops[s.memory].value.constant;
    displacement = i64(i32(u32(displacement)));
    return true;
  }
  if (std::string e = displacement_error(row, *f.memory, f.address_bits); !e.empty()) {
    if (f.address_bits == 64) {
      out.error(f.memory->where, std::move(e));
      return false;
    }
    out.warning(f.memory->where, e + "; it is shortened");
  }
  i64& displacement = s.ops[s.memory].value.constant;
  // GNU as does not see that it wraps, LLVM not that nothing is left.
  const bool unseen = mode_ == 64
                          ? displacement < -0x80000000ll || displacement > 0xFFFFFFFFll
                          : options_.gnu_since(244) && f.address_bits == 32 && is_longer_than_32_bits(displacement);
  if (options_.gnu && unseen) s.prefixes |= want_disp32;
  displacement = i64(i32(u32(displacement)));
  if (!options_.gnu && displacement == 0) s.prefixes |= want_disp8;
  if (!options_.gnu && f.address_bits == 16) s.prefixes |= want_disp16;
  return true;
}

/// GNU as: the displacement that {disp16} or {disp32} asks for is one that addresses or branches have there.
bool X86Target::has_displacement(const Statement& s, bool has_16_bits, Emitter& out) const {
  if (!options_.gnu || !(s.prefixes & (has_16_bits ? want_disp32 : want_disp16))) return true;
  const unsigned asked = has_16_bits ? 32 : 16;
  out.error(s.where, fmt::format("{{disp{0}}} asks for what only {0}-bit addresses and branches have", asked));
  return false;
}

}  // namespace xas::x86
