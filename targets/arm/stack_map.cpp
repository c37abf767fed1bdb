// SPDX-License-Identifier: Apache-2.0
// What stack maps need to know of ARM: registers with their sizes, calls and no-ops.
#include "targets/arm/arm.h"

namespace xas::arm {

using namespace atoms;

bool ArmTarget::stack_map_register(const char*& p, StackMapRegister& out) const {
  const char* q = p;
  Register r;
  if (!read_register(q, r)) return false;
  if (r.atom == atom_low) {
    out.dwarf = r.number;
    out.size = 4;
  } else if (r.atom == atom_s) {
    out.dwarf = 64 + r.number;
    out.size = 4;
  } else if (r.atom == atom_d || r.atom == atom_q) {
    out.dwarf = 256 + r.number;
    out.size = r.atom == atom_d ? 8 : 16;
  } else {
    return false;
  }
  p = q;
  return true;
}

static u32 code_word(const u8* code, unsigned size, bool big_endian) {
  u32 word = 0;
  for (unsigned i = 0; i < size; ++i) word |= u32(code[big_endian ? size - 1 - i : i]) << (8 * i);
  return word;
}

bool ArmTarget::is_call(const u8* code, unsigned size) const {
  const bool big = options_.big_endian;
  if (thumb_) {
    if (size == 2) return (code_word(code, 2, big) & 0xFF87) == 0x4780;  // blx register
    if (size != 4) return false;
    const u32 first = code_word(code, 2, big), second = code_word(code + 2, 2, big);
    return (first & 0xF800) == 0xF000 && (second & 0xC000) == 0xC000;  // bl, blx
  }
  if (size != 4) return false;
  const u32 word = code_word(code, 4, big);
  if (word >> 28 == 15) return (word & 0xFE000000) == 0xFA000000;                 // blx
  return (word & 0x0F000000) == 0x0B000000 || (word & 0x0FFFFFF0) == 0x012FFF30;  // bl, blx register
}

bool ArmTarget::is_nop(const u8* code, unsigned size) const {
  const bool big = options_.big_endian;
  if (thumb_ && size == 2) return code_word(code, 2, big) == 0xBF00 || code_word(code, 2, big) == 0x46C0;
  if (thumb_ || size != 4) return false;
  return code_word(code, 4, big) == 0xE320F000 || code_word(code, 4, big) == 0xE1A00000;
}

}  // namespace xas::arm
