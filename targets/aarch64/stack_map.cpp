// SPDX-License-Identifier: Apache-2.0
// What stack maps need to know of AArch64: registers with their sizes, calls, and code that a runtime overwrites.
#include "targets/aarch64/aarch64.h"
#include "targets/aarch64/word.h"

namespace xas::aarch64 {

using namespace atoms;

namespace {

}  // namespace

bool AArch64Target::stack_map_register(const char*& p, StackMapRegister& out) const {
  const char* q = p;
  Register r;
  if (!read_register(q, r)) return false;
  out.dwarf = r.atom == atom_xzr || r.atom == atom_wzr ? -1 : dwarf_register(p);
  if (r.atom == atom_w || r.atom == atom_wsp)
    out.size = 4;
  else if (r.atom == atom_x || r.atom == atom_sp)
    out.size = 8;
  else if (r.atom >= atom_b && r.atom <= atom_q)
    out.size = u16(1u << (r.atom - atom_b));
  else if (r.atom == atom_v)
    out.size = 16;
  p = q;
  return true;
}

bool AArch64Target::is_call(const u8* code, unsigned size) const {
  if (size != 4) return false;
  const u32 word = get_word(code);
  constexpr u32 bl = 0x94000000, blr = 0xD63F0000, blr_zero = 0xD63F081F, blr_key = 0xD73F0800;
  return (word & 0xFC000000) == bl || (word & 0xFFFFFC1F) == blr || (word & 0xFFFFF81F) == blr_zero ||
         (word & 0xFFFFF800) == blr_key;
}

bool AArch64Target::is_nop(const u8* code, unsigned size) const { return size == 4 && get_word(code) == 0xD503201F; }

/// movz x16, bits 32 to 47; movk x16, 16 to 31; movk x16, 0 to 15; blr x16
void AArch64Target::write_patch_call(const Value& to, int scratch, Emitter& out, const char* where) const {
  constexpr int x16 = 16, x30 = 30;
  constexpr struct {
    u32 opcode;
    std::string_view modifier;
    u16 kind;
  } moves[] = {
      {0xD2C00000, "abs_g2", fixup_movz}, {0xF2A00000, "abs_g1_nc", fixup_movk}, {0xF2800000, "abs_g0_nc", fixup_movk}};
  if (scratch < 0) scratch = x16;
  if (scratch > x30) return out.error(where, "the address can be put into x0 to x30 only");
  const bool known = to.is_constant() && to.modifier == 0;
  if (known && u64(to.constant) >> 48)
    return out.error(where, "the address of a patch point's call must be below 2^48");
  unsigned shift = 32;
  u8 at = 0;
  for (const auto& move : moves) {
    const u32 part = known ? u32(to.constant >> shift & 0xFFFF) : 0;
    put_word(out.out + at, move.opcode | part << 5 | u32(scratch));
    if (!known) {
      Value value = to;
      value.modifier = modifier(move.modifier);
      out.fixup({.kind = move.kind, .at = at}, value, where);
    }
    at += 4;
    shift -= 16;
  }
  put_word(out.out + at, 0xD63F0000 | u32(scratch) << 5);
  out.advance(at + 4);
}

}  // namespace xas::aarch64
