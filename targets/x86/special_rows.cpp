// SPDX-License-Identifier: Apache-2.0
// What few rows ask for beyond their fields: op=NAME of the tables, registers that must differ or may be exchanged,
// addresses that are implied.
#include <fmt/format.h>

#include <utility>

#include "targets/x86/placement.h"
#include "targets/x86/tables.h"

namespace xas::x86 {

constexpr u8 cx = 1, bx = 3, si = 6, di = 7;

/// The register of an implied address.
static u8 implied_base(const Row& row, bool in_es) {
  constexpr u8 xlat = 0xD7, rmp = 0x01;
  if (row.opcode == xlat) return bx;
  if (row.opcode == rmp) return cx;  // rmpread, rmpupdate
  return in_es ? di : si;
}

/// An address that is implied may be written; what else is written there only tells sizes, and LLVM refuses it beside
/// an accumulator.
bool X86Target::check_implied_address(const Row& row, const Statement& s, Emitter& out) const {
  const unsigned in_es = facts_of(row).es_operand;
  for (unsigned i = 0; i < s.count; ++i) {
    const Operand& o = s.ops[i];
    if (!o.is_memory) continue;
    constexpr u8 stos = 0xAA, last_scas = 0xAF;
    const u8 base = implied_base(row, i == in_es);
    const bool displaced = o.has_displacement && (options_.gnu || o.symbolic || o.value.constant != 0);
    const bool plain = o.has_base && o.base == base && !o.has_index && o.regs != AddressRegs::rip;
    if (plain && !displaced) continue;
    const unsigned bits = address_bits_of(o.regs, mode_);
    const std::string_view wide = bits == 64 ? "r" : bits == 32 ? "e" : "";
    const std::string_view name = base == cx ? "cx" : base == bx ? "bx" : base == di ? "di" : "si";
    const bool accumulator = s.count == 2 && row.opcode >= stos && row.opcode <= last_scas;
    if (accumulator && !options_.gnu)
      return out.error(o.where, fmt::format("`{}` takes an address in {}{} here", s.mnemonic, wide, name)), false;
    out.warning(o.where, fmt::format("`{}` uses {}{} here, whatever is written", s.mnemonic, wide, name));
  }
  return true;
}

/// Something else than the operands' kinds says that APX is meant.
static bool asks_for_apx(const Statement& s) {
  if (s.prefixes & (want_evex | want_nf | uses_egpr)) return true;
  return has_egpr(s);
}

/// What GNU as alone asks of few rows (Op).
bool X86Target::fits_gnu(const Row& row, const Statement& s, Emitter& out) const {
  const bool is_known = options_.gnu_since(244);  // what follows op_later
  if (!is_known && row.op > op_later) return true;
  switch (row.op) {
    case op_not_amd64:
      if (!x86_options_.amd64 || mode_ != 64) return true;
      return out.error(s.where, fmt::format("64-bit code has `{}` only without -mamd64", s.mnemonic)), false;
    case op_addressed: {
      const Operand& o = s.ops[s.memory];
      if (!(o.classes & class_bit("moffs"))) return true;
      out.error(o.where, fmt::format("`{}` takes an address in a register", s.mnemonic));
      return false;
    }
    case op_later:
      if (is_known || asks_for_apx(s)) return true;
      out.error(
          s.where,
          fmt::format("`{}` takes these operands only with APX, which {{evex}} asks for; GNU as from 2.44 on needs "
                      "no {{evex}}",
                      s.mnemonic));
      return false;
    case op_intel64:
    case op_amd64:
    case op_intel64q: {
      if (x86_options_.intel64 != (row.op == op_amd64)) return true;
      if (row.op == op_intel64q && (row.operand_size != size_64 || (s.rex & 8))) return true;
      constexpr u64 any_size = class_bit("m16") | class_bit("m32");
      if (row.op != op_intel64q && s.ops[0].is_memory && (s.ops[0].classes & any_size) == any_size) return true;
      out.error(s.where, fmt::format("`{}` has this form only {} -mintel64", s.mnemonic,
                                     row.op == op_amd64 ? "without" : "with"));
      return false;
    }
    case op_named:
      if (options_.gnu_since(247) && !is_named(row)) {
        out.error(s.where, fmt::format("`{}` is for few processors: .arch has to name its feature", s.mnemonic));
        return false;
      }
      return row.count < 3 || check_distinct(row, s, out);
    case op_tiles: return check_distinct(row, s, out);
    case op_two: return check_two_registers(row, s, out);
    case op_unsigned: {
      const Operand* const imm = role_operand(row, s, role_imm);
      if (imm->symbolic || imm->value.constant >= 0) return true;
      return out.error(imm->where, fmt::format("`{}` takes a number from 0 to 4294967295", s.mnemonic)), false;
    }
    default: return true;
  }
}

/// What few rows ask for beyond their fields: registers that must not, or need not, be where they were written.
bool X86Target::adapt_placement(const Row& row, Statement& s, Placement& f, Emitter& out) const {
  if (row.op == op_double && f.reg) f.rm_number = f.reg_number;
  if (row.op == op_pair && !options_.gnu) f.reg_number &= 6;
  if (row.op == op_rex2) s.prefixes |= want_rex2;
  if (row.op == op_lock_high && (f.reg_number & 8)) {
    s.prefixes |= prefix_lock;
    f.reg_number &= 7;
  }
  constexpr u8 test = 0x84;
  if (row.op == op_ccmp && (row.opcode & 0xFE) == test && (s.prefixes & want_load) && f.reg && !f.memory)
    std::swap(f.reg_number, f.rm_number);  // the other way round there is no other opcode
  const bool no_rip = (row.flags & row_sib) || row.op == op_norip;
  if (no_rip && (f.memory->regs == AddressRegs::rip || f.memory->regs == AddressRegs::eip)) {
    out.error(f.memory->where, fmt::format("`{}` cannot address memory relative to %rip", s.mnemonic));
    return false;
  }
  if ((row.flags & row_distinct) && !check_distinct(row, s, out)) return false;
  if (options_.gnu && row.op >= op_intel64 && !fits_gnu(row, s, out)) return false;
  if (implied_address(row, s, f) && !check_implied_address(row, s, out)) return false;
  if ((row.flags & (row_comm | row_commf)) && exchange_is_shorter(row, s)) std::swap(f.rm_number, f.vvvv_number);
  return true;
}

}  // namespace xas::x86
