// SPDX-License-Identifier: Apache-2.0
// `ldr register, =expression`: a move where one will do (LLVM), else a load from the literal pool.
#include <fmt/format.h>

#include "targets/aarch64/aarch64.h"

namespace xas::aarch64 {

void AArch64Target::literal(const Encoded& e, const Operands& o, Emitter& out) {
  const Value& value = o.expr[o.value[e.pool_atom]];
  const bool fp = e.pool_bits & 1;
  const unsigned bits = e.pool_bits & ~1u;
  const char* where = o.where[e.pool_atom];
  i64 constant = value.constant;
  Encoded to = e;
  if (literal_high_) {
    if (bits < 128) return out.error(where, fmt::format("the number does not fit in {} bits", bits));
    return load_literal(to, out.wide_literal(u64(constant), *literal_high_, where), where, out);
  }
  if (value.modifier == 0 && out.known_constant(value, constant)) {
    const bool fits = bits >= 64 || (constant >= -0x80000000ll && constant <= 0xFFFFFFFFll);
    if (!fits) return out.error(where, fmt::format("{} does not fit in {} bits", constant, bits));
    if (!options_.gnu && !fp) {
      // movz of 16 bits, shifted. A negative number has bits that no w register holds.
      for (unsigned hw = 0; hw < bits / 16; ++hw) {
        if (u64(constant) & ~(u64(0xFFFF) << (16 * hw))) continue;
        to.word =
            (bits == 64 ? 0xD2800000u : 0x52800000u) | hw << 21 | u32(u64(constant) >> (16 * hw)) << 5 | (e.word & 31);
        return emit(to, o, out);
      }
    }
    const Value number{.constant = constant};
    return load_literal(to, out.literal(number, bits / 8, where), where, out);
  }
  load_literal(to, out.literal(value, bits / 8, where), where, out);
}

void AArch64Target::load_literal(const Encoded& e, SymbolId literal, const char* where, Emitter& out) {
  if (literal == no_symbol) return;
  u8* to = out.out;
  for (unsigned i = 0; i < 4; ++i) to[i] = u8(e.word >> (8 * i));
  out.fixup({.kind = fixup_literal19, .at = 0}, {.add = literal}, where);
  out.advance(4);
}

}  // namespace xas::aarch64
