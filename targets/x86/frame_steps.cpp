// SPDX-License-Identifier: Apache-2.0
// What 64-bit instructions do to stack and registers, step by step (--scfi), from the facts of their rows.
#include <fmt/format.h>

#include "targets/frame_step.h"
#include "targets/x86/tables.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

namespace {

using Step = FrameStep;
using Kind = FrameStep::Kind;

constexpr u32 rsp = 7, rbp = 6, rflags = 49;  ///< DWARF numbers
constexpr u32 some_register = 4;              ///< %rsi: of no interest to frames

/// The DWARF number of a general register of any width.
constexpr u32 general_register(unsigned number) {
  constexpr u8 legacy[8] = {0, 2, 1, 3, rsp, rbp, 4, 5};
  return number < 8 ? legacy[number] : number;
}

/// Of the whole register, if only a part of it is the operand.
u32 whole_register(const Reg& r) {
  switch (r.cls) {
    case RegClass::r8: return general_register(r.flags & reg_no_rex ? r.number - 4u : r.number);
    case RegClass::r16:
    case RegClass::r32: return general_register(r.number);
    default: return r.dwarf64 >= 0 ? u32(r.dwarf64) : some_register;
  }
}

/// %riz, the index that is none, has the number of %rsp.
bool has_index(const Operand& o) { return o.has_index && !o.vector_index && o.index != 4; }

/// The register that addresses memory; without one it is of no interest.
u32 address_register(const Operand& o) {
  if (o.regs == AddressRegs::rip || o.regs == AddressRegs::eip) return some_register;
  if (o.has_base) return general_register(o.base);
  return has_index(o) ? general_register(o.index) : some_register;
}

bool has_address_register(const Operand& o) {
  return o.has_base || o.has_index || o.regs == AddressRegs::rip || o.regs == AddressRegs::eip;
}

FrameOperand operand(const Operand& o) {
  if (o.is_memory) return FrameOperand::at(address_register(o), o.value.constant);
  if (o.space == space_register) return FrameOperand::of(whole_register(*o.reg));
  return {FrameOperand::number};
}

bool is_lone_register(const Operand& o) { return o.space == space_register && !o.is_memory; }

constexpr bool saved(u32 number) {
  return number == 3 || number == rbp || number == rsp || (number >= 12 && number <= 15);
}

constexpr FrameRegisters frame_registers_of_64{.stack_pointer = rsp, .frame_pointer = rbp, .is_saved = saved};

Step grow_stack(unsigned bytes) {
  return {.kind = Kind::subtract, .from = FrameOperand::of(rsp), .to = FrameOperand::of(rsp), .number = bytes};
}
Step shrink_stack(unsigned bytes) {
  return {.kind = Kind::add, .from = FrameOperand::of(rsp), .to = FrameOperand::of(rsp), .number = bytes};
}

}  // namespace

const FrameRegisters* X86Target::frame_registers() const {
  return options_.frame_steps ? &frame_registers_of_64 : nullptr;
}

static void describe_branch(const Row& row, const Statement& s, Emitter& out) {
  switch (facts_of(row).branch) {
    case Branch::none:
    case Branch::trap:
    case Branch::sysret: return;
    case Branch::call:
    case Branch::call_indirect: return out.frame_step({.kind = Kind::call}, s.where);
    case Branch::ret: return out.frame_step({.kind = Kind::leave}, s.where);
    case Branch::jmp_indirect: return out.frame_step({.kind = Kind::jump}, s.where);
    case Branch::jcc:
    case Branch::loop:
    case Branch::jmp: {
      const Operand* const target = role_operand(row, s, role_target);
      if (!target || !target->value.is_symbol_plus_constant() || target->value.constant)
        return out.no_frame_steps(s.where, "--scfi can't follow a jump to anything but a label");
      const Kind kind = facts_of(row).branch == Branch::jmp ? Kind::jump : Kind::branch;
      return out.frame_step({.kind = kind, .target = target->value.add}, s.where);
    }
    default: return out.no_frame_steps(s.where, fmt::format("--scfi can't follow `{}`", s.mnemonic));
  }
}

/// enter, leave, pushes and pops
static void describe_stack(const Row& row, const Statement& s, Emitter& out) {
  const Facts& facts = facts_of(row);
  const unsigned bytes = row.operand_size == size_16 ? 2 : 8;
  if (facts.has(trait_frame) && s.count) {
    for (unsigned i = 0; i < s.count; ++i)
      if (s.ops[i].symbolic) return out.no_frame_steps(s.where, "--scfi has to know the operands of `enter`");
    out.frame_step(grow_stack(bytes), s.where);
    out.frame_step({.kind = Kind::store, .from = FrameOperand::of(rbp), .to = FrameOperand::at(rsp)}, s.where);
    out.frame_step({.kind = Kind::move, .from = FrameOperand::of(rsp), .to = FrameOperand::of(rbp)}, s.where);
  } else if (facts.has(trait_frame)) {
    out.frame_step({.kind = Kind::move, .from = FrameOperand::of(rbp), .to = FrameOperand::of(rsp)}, s.where);
    out.frame_step({.kind = Kind::load, .from = FrameOperand::at(rsp), .to = FrameOperand::of(rbp)}, s.where);
    out.frame_step(shrink_stack(bytes), s.where);
  } else if (facts.writes & resource_mem) {
    out.frame_step(grow_stack(bytes), s.where);
    const FrameOperand from = s.count ? operand(s.ops[0]) : FrameOperand::of(rflags);
    out.frame_step({.kind = Kind::store, .from = from, .to = FrameOperand::at(rsp)}, s.where);
  } else {
    const FrameOperand to = s.count ? operand(s.ops[0]) : FrameOperand::of(rflags);
    out.frame_step({.kind = Kind::load, .from = FrameOperand::at(rsp), .to = to}, s.where);
    out.frame_step(shrink_stack(bytes), s.where);
  }
}

/// Sums, copies and addresses whose result is known. False: it is none of these, or one of no use.
static bool describe_result(const Row& row, const Statement& s, Emitter& out) {
  const Facts& facts = facts_of(row);
  if (s.count != 2) return false;
  const Operand &from = s.ops[0], &to = s.ops[1];
  const bool wide = row.operand_size == size_64;
  if (facts.has(trait_lea)) {
    const bool indexed = has_index(from);
    const bool based = from.has_base || from.regs == AddressRegs::rip || from.regs == AddressRegs::eip;
    if (based == indexed || (indexed && from.scale) || from.symbolic) return false;
    const FrameOperand address = FrameOperand::of(address_register(from));
    const Kind kind = from.value.constant ? Kind::add : Kind::move;
    out.frame_step({.kind = kind, .from = address, .to = operand(to), .number = from.value.constant}, s.where);
    return true;
  }
  if (facts.has(trait_mov)) {
    const bool through_memory = from.is_memory || to.is_memory;
    if (through_memory ? !has_address_register(from.is_memory ? from : to) : !wide) return false;
    out.frame_step({.kind = Kind::move, .from = operand(from), .to = operand(to)}, s.where);
    return true;
  }
  const bool sum = facts.has(trait_sum), difference = facts.has(trait_difference);
  if (!(sum || difference || facts.has(trait_masking)) || to.is_memory) return false;
  const Kind kind = sum ? Kind::add : difference ? Kind::subtract : Kind::mask;
  if (!from.is_immediate) {
    if (kind == Kind::mask || (from.is_memory && !has_address_register(from))) return false;
    out.frame_step({.kind = kind, .from = operand(from), .to = operand(to), .by_number = false}, s.where);
    return true;
  }
  if (!wide || from.symbolic) return false;
  out.frame_step({.kind = kind, .from = operand(to), .to = operand(to), .number = from.value.constant}, s.where);
  return true;
}

void X86Target::describe_steps(const Row& row, const Statement& s, Emitter& out) const {
  const Facts& facts = facts_of(row);
  bool apx = row.map == map_4 || row.op == op_rex2 || (s.prefixes & (want_rex2 | uses_egpr));
  for (unsigned i = 0; i < s.count; ++i) apx |= is_lone_register(s.ops[i]) && (s.ops[i].reg_flags & reg_egpr);
  if (apx) return out.no_frame_steps(s.where, fmt::format("--scfi does not know what `{}` of APX does", s.mnemonic));
  if (facts.branch != Branch::none) return describe_branch(row, s, out);
  if (facts.has(trait_frame) || (facts.writes & resource_sp)) return describe_stack(row, s, out);
  if (describe_result(row, s, out)) return;
  for (unsigned i = 0; i < s.count; ++i) {
    if (!is_lone_register(s.ops[i]) || !(facts.access(i) & access_write)) continue;
    const u32 number = whole_register(*s.ops[i].reg);
    if (number == rsp || number == rbp) out.frame_step({.kind = Kind::set, .to = FrameOperand::of(number)}, s.where);
  }
}

}  // namespace xas::x86
