// SPDX-License-Identifier: Apache-2.0
// `ldr register, =expression`: a move where one will do (LLVM), else a load from the literal pool.
#include <fmt/format.h>

#include "targets/aarch64/aarch64.h"

namespace xas::aarch64 {

void AArch64Target::literal(const Row& row, const Encoded& e, const Operands& o, const char* mnemonic, Emitter& out) {
  const Value& value = o.expr[o.value[e.pool_atom]];
  const bool fp = e.pool_bits & 1;
  const unsigned bits = e.pool_bits & ~1u;
  const char* where = o.where[e.pool_atom];
  i64 constant = value.constant;
  Encoded to = e;
  if (literal_high_) {
    if (bits < 128) return out.error(where, fmt::format("the number does not fit in {} bits", bits));
    return load_literal(row, to, out.wide_literal(u64(constant), *literal_high_, where), o, mnemonic, out);
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
        return emit(row, to, o, mnemonic, out);
      }
    }
    const Value number{.constant = constant};
    return load_literal(row, to, out.literal(number, bits / 8, where), o, mnemonic, out);
  }
  load_literal(row, to, out.literal(value, bits / 8, where), o, mnemonic, out);
}

void AArch64Target::load_literal(const Row& row, const Encoded& e, SymbolId literal, const Operands& o,
                                 const char* mnemonic, Emitter& out) {
  if (literal == no_symbol) return;
  Operands of_place = o;
  Encoded to = e;
  of_place.expr[o.value[e.pool_atom]] = {.add = literal};
  to.wait(fixup_literal19, o.value[e.pool_atom], e.pool_atom);
  emit(row, to, of_place, mnemonic, out);
}

}  // namespace xas::aarch64
