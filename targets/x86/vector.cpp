// SPDX-License-Identifier: Apache-2.0
// What VEX and EVEX instructions ask for beyond operands of the right classes: registers that must differ, and the
// choices between encodings that differ in length only.
#include <fmt/format.h>

#include "targets/x86/tables.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

namespace {

bool is_high(const Operand& o) { return o.space == space_register && o.number >= 8; }

}  // namespace

/// A load row of VEX whose source needs the B bit, which only the three-byte prefix has, while its destination does not
/// need R: the store row, which exchanges the two fields, is a byte shorter.
bool store_row_is_shorter(const Row& row, const Statement& s) {
  if (row.encoding != encoding_vex || row.map != map_0f || row.w || row.imm != imm_none) return false;
  if (s.prefixes & (want_vex3 | want_load | want_store | want_swap)) return false;
  const Operand* reg = role_operand(row, s, role_reg);
  const Operand* rm = role_operand(row, s, role_rm);
  return reg && rm && is_high(*rm) && !is_high(*reg);
}

/// The same for the two sources of an operation that does not care for their order. Compares care unless their
/// predicate is one of equal, unordered, not equal, ordered, and their variants.
bool X86Target::exchange_is_shorter(const Row& row, const Statement& s) const {
  if (!(row.flags & (options_.gnu ? row_comm : row_comm | row_commf))) return false;
  if (options_.gnu && (options_.optimize < 2 || (s.prefixes & want_nooptimize)) && !s.commute) return false;
  if (row.map != map_0f || row.w || (s.prefixes & want_vex3)) return false;
  const Operand* rm = role_operand(row, s, role_rm);
  const Operand* vvvv = role_operand(row, s, role_vvvv);
  if (!rm || !vvvv || !is_high(*rm) || is_high(*vvvv)) return false;
  if (const Operand* const reg = role_operand(row, s, role_reg); options_.gnu && reg && is_high(*reg)) return false;
  const Operand* imm = role_operand(row, s, role_imm);
  if (!imm && !(row.flags & row_trailer)) return true;
  if (imm && options_.gnu) return false;
  if (row.length_ignored && !options_.gnu) return false;  // LLVM exchanges no sources of scalar compares
  unsigned predicate = (imm ? unsigned(imm->value.constant) : row.trailer) & 3;
  return !(imm && imm->symbolic) && (predicate == 0 || predicate == 3);
}

/// What holds for the write mask of every instruction: it stands behind the destination, and zeroing needs a register
/// to be zeroed. Without a mask LLVM does not see it; GNU as refuses it.
bool X86Target::check_mask(Statement& s, Emitter& out) const {
  const char* where = s.deco_where ? s.deco_where : s.where;
  if ((s.deco & (deco_mask | deco_zero)) && s.mask_operand + 1u != s.count) {
    out.error(where, "a write mask belongs behind the destination, which is the last operand");
    return false;
  }
  if (s.deco & (deco_er | deco_sae)) {
    // It stands behind immediates and general registers, in front of all others; in Intel syntax, where the order is
    // the reverse, on either side of general registers.
    for (unsigned i = 0; i < s.count; ++i) {
      const Operand& o = s.ops[i];
      const bool general = o.space == space_register && o.reg->cls <= RegClass::r64;
      const bool first = o.is_immediate || general;
      if (i + 1 == s.count || first == (i < s.before_rounding) || (intel_ && general)) continue;
      out.error(where, intel_ ? "rounding control stands behind the last vector register"
                              : "rounding control stands before the first vector register");
      return false;
    }
  }
  if ((s.deco & deco_zero) && !(s.deco & deco_mask)) {
    constexpr std::string_view text = "{z} without a write mask, as in {%k1}{z}, has no effect";
    if (options_.gnu) return out.error(where, std::string(text)), false;
    out.warning(where, std::string(text));
    s.deco &= u8(~deco_zero);
  }
  if ((s.deco & deco_zero) && s.ops[s.mask_operand].is_memory) {
    out.error(where, "{z} is for registers: a masked store leaves the other elements in memory as they are");
    return false;
  }
  return true;
}

/// Rows flagged `distinct`: false if the instruction cannot be encoded.
bool X86Target::check_distinct(const Row& row, const Statement& s, Emitter& out) const {
  const Operand* reg = role_operand(row, s, role_reg);
  const Operand* rm = role_operand(row, s, role_rm);
  const Operand* vvvv = role_operand(row, s, role_vvvv);
  auto number = [](const Operand* o) {
    return !o ? -1 : !o->is_memory ? int(o->number) : o->vector_index ? int(o->index) : -1;
  };
  int r = number(reg), m = number(rm), v = number(vvvv);
  bool outer = r >= 0 && (r == m || r == v);
  bool inner = m >= 0 && m == v;
  if (reg->classes & class_bit("tmm")) {
    if (!outer && !inner) return true;
    out.error(s.where, fmt::format("the three tiles of `{}` must be different ones", s.mnemonic));
    return false;
  }
  bool gather = rm->is_memory && rm->vector_index;
  if (!(outer || (gather && inner))) return true;
  const bool refused = options_.gnu && !gather;
  if (x86_options_.operand_check == 0 && !refused) return true;
  std::string text = gather ? fmt::format("destination, index{} of `{}` should be different registers",
                                          vvvv ? " and mask" : "", s.mnemonic)
                            : fmt::format("the destination of `{}` should differ from its sources", s.mnemonic);
  if (x86_options_.operand_check == 2 || refused) return out.error(s.where, std::move(text)), false;
  out.warning(s.where, std::move(text));
  return true;
}

/// push2 and pop2, as GNU as reads them: no stack pointer, and pop2 has two destinations.
bool X86Target::check_two_registers(const Row& row, const Statement& s, Emitter& out) const {
  constexpr u8 stack_pointer = 4;
  for (unsigned i = 0; i < s.count; ++i) {
    if (s.ops[i].number == stack_pointer)
      return out.error(s.ops[i].where, fmt::format("`{}` takes no stack pointer", s.mnemonic)), false;
  }
  const bool pops = facts_of(row).access(0) & access_write;
  if (!pops || s.ops[0].number != s.ops[1].number) return true;
  return out.error(s.where, fmt::format("the two destinations of `{}` must be different registers", s.mnemonic)), false;
}

}  // namespace xas::x86
