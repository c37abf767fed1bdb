// SPDX-License-Identifier: Apache-2.0
// What leads to the opcode: REX and REX2, VEX and XOP, EVEX, and the escapes of the opcode's map. All of it is inlined
// into X86Target::encode.
#pragma once

#include <fmt/format.h>

#include "targets/x86/placement.h"
#include "targets/x86/tables.h"

namespace xas::x86 {

/// What leads to the opcode's map.
[[gnu::always_inline]] inline u8* put_escapes(u8* o, const Row& row) {
  if (!row.map) return o;
  *o++ = 0x0F;
  if (row.map == map_0f38) *o++ = 0x38;
  if (row.map == map_0f3a) *o++ = 0x3A;
  return o;
}

/// EVEX, with what APX has put into it.
[[gnu::always_inline]] inline u8* put_evex(u8* o, const Row& row, const Statement& s, const Placement& f,
                                           const IgnoredBits& ignored) {
  const unsigned reg4 = f.reg_number >> 4 & 1;
  // A vector register in rm has its fifth bit in X; an address and a general register have theirs in bits of APX.
  const bool general = row.op == op_double || (f.rm && !f.memory && f.rm->reg->cls <= RegClass::r64);
  const unsigned x = f.memory || general ? f.index_high() : f.rm_number >> 4 & 1;
  const unsigned base4 = f.memory ? f.memory->base >> 4 & 1 : general ? f.rm_number >> 4 & 1 : 0;
  const unsigned index4 = f.memory && !f.memory->vector_index ? f.memory->index >> 4 & 1 : 0;
  const unsigned v4 = f.memory && f.memory->vector_index ? f.memory->index >> 4 & 1 : f.vvvv_number >> 4 & 1;
  const bool rounding = s.deco & deco_er;
  const unsigned b = rounding || (s.deco & deco_sae) || (f.memory && f.memory->broadcast);
  const unsigned length = rounding             ? s.rounding
                          : s.deco & deco_sae  ? ignored.evex_rcig
                          : row.length_ignored ? ignored.evex_lig
                                               : row.length;
  unsigned w = row.w_ignored ? ignored.evex_wig : row.w | (row.w_by_size & ignored.evex_sizing_w);
  unsigned pp = row.pp;
  if (row.map == map_4) {  // what data16 and rex.w say has a place in the prefix
    w |= s.rex >> 3 & 1;
    if (s.prefixes & prefix_data && pp == pp_none) pp = pp_66;
  }
  *o++ = 0x62;
  *o++ = u8((!f.reg_high()) << 7 | (!x) << 6 | (!f.base_high()) << 5 | (!reg4) << 4 | base4 << 3 | row.map);
  unsigned vvvv = ~f.vvvv_number & 15u;
  unsigned last = (s.deco & deco_zero ? 0x80 : 0) | length << 5 | b << 4 | (!v4) << 3 | s.mask;
  if (row.flags & row_nd) last |= 0x10;
  if ((s.prefixes & want_nf) || row.op == op_cfcmov) last |= 4;
  if (row.op == op_ccmp) {
    vvvv = s.default_flags;
    last = row.trailer;
  }
  // What would be an index's fifth bit says that rounding is of 256 bits.
  const bool narrow = (s.deco & (deco_er | deco_sae)) && (row.deco & (deco_narrow_er | deco_narrow_sae));
  *o++ = u8(w << 7 | vvvv << 3 | (!index4 && !narrow) << 2 | pp);
  *o++ = u8(last);
  return o;
}

/// VEX and XOP.
[[gnu::always_inline]] inline u8* put_vex(u8* o, const Row& row, const Statement& s, const Placement& f,
                                          const IgnoredBits& ignored) {
  const unsigned length = row.length_ignored ? ignored.vex_lig : row.length;
  unsigned w = row.w_ignored ? ignored.vex_wig : row.w_by_size & ignored.vex_sizing_w;
  w = row.w | (w & !(s.prefixes & clears_w));
  const unsigned last = (~f.vvvv_number & 15u) << 3 | (length & 1u) << 2 | row.pp;
  if (row.encoding == encoding_vex && row.map == map_0f && !w && !f.index_high() && !f.base_high() &&
      !(s.prefixes & want_vex3)) {
    *o++ = 0xC5;
    *o++ = u8((!f.reg_high()) << 7 | last);
  } else {
    *o++ = row.encoding == encoding_vex ? 0xC4 : 0x8F;
    *o++ = u8((!f.reg_high()) << 7 | (!f.index_high()) << 6 | (!f.base_high()) << 5 | row.map);
    *o++ = u8(w << 7 | last);
  }
  return o;
}

/// %ah to %bh, which are other registers behind any prefix of 64-bit code that has bits of registers.
inline bool has_high_byte(const Statement& s, Emitter& out) {
  for (unsigned i = 0; i < s.count; ++i) {
    const Operand& o = s.ops[i];
    if (o.space != space_register || !(o.reg_flags & reg_no_rex)) continue;
    out.error(o.where,
              fmt::format("%{} cannot be used in an instruction that needs a REX prefix", register_name(*o.reg)));
    return true;
  }
  return false;
}

/// In x32 the linker rewrites these to instructions that need a REX prefix: room is left for it.
inline bool is_tls_load(const Operand* m) {
  if (!m || !m->symbolic || !m->value.modifier || m->regs != AddressRegs::rip) return false;
  return m->value.modifier == mod_tlsdesc || m->value.modifier == mod_gottpoff;
}

/// REX or REX2, and the escapes of the opcode's map. Null if there is an error.
[[gnu::always_inline]] inline u8* X86Target::put_rex(u8* o, const Row& row, const Statement& s, Placement& f,
                                                     Emitter& out) const {
  unsigned flags = f.reg ? f.reg->reg_flags : 0;
  if (f.rm) flags |= f.rm->reg_flags;
  if (f.opcode) flags |= f.opcode->reg_flags;
  const unsigned own = row.rex_w << 3 | f.reg_high() << 2 | f.index_high() << 1 | f.base_high();
  unsigned rex = own | (s.rex & 15u);
  f.any_rex = rex || (flags & reg_needs_rex) || s.rex || (s.prefixes & (want_rex | want_rex2 | uses_egpr)) ||
              (options_.x32 && is_tls_load(f.memory));
  const bool gives_way = options_.gnu || !(s.prefixes & want_rex2);
  const bool asked = !rex && !s.rex && !(flags & reg_needs_rex) && !(s.prefixes & uses_egpr) && gives_way;
  if (f.any_rex && asked && (flags & reg_no_rex) && mode_ == 64) f.any_rex = false;  // {rex} gives way to %ah
  if (f.any_rex) {
    if ((s.rex & own & ~(s.sized_by_rex ? 8u : 0u)) && options_.gnu) [[unlikely]] {
      out.error(s.where, fmt::format("`{}` has this bit of the REX prefix already", s.mnemonic));
      return nullptr;
    }
    if ((flags & reg_no_rex) && has_high_byte(s, out)) return nullptr;
    if (mode_ != 64) [[unlikely]] {
      if (asked && !(s.prefixes & want_rex2)) return put_escapes(o, row);  // LLVM: {rex} is for what can have one
      out.error(s.where, "a REX prefix needs 64-bit mode");
      return nullptr;
    }
    f.rex2 = (flags & reg_egpr) || (s.prefixes & (want_rex2 | uses_egpr));
    if (f.rex2) [[unlikely]] {
      const unsigned base = f.memory ? f.memory->base : f.rm_number, index = f.memory ? f.memory->index : 0;
      *o++ = 0xD5;
      rex |= (row.map == map_0f) << 7 | (f.reg_number >> 4 & 1) << 6 | (index >> 4 & 1) << 5 | (base >> 4 & 1) << 4;
      *o++ = u8(rex);
    } else {
      *o++ = u8(0x40 | rex);
    }
  }
  return f.rex2 ? o : put_escapes(o, row);
}

}  // namespace xas::x86
