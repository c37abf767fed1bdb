// SPDX-License-Identifier: Apache-2.0
// Operands that are said by values (TypedOperand), as the atoms that their text would give.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "targets/arm/arm.h"
#include "targets/arm/tables.h"

namespace xas::arm {

namespace {

/// A register that is added to an address, or subtracted, has an atom for that in front of it.
void push_offset(int number, bool minus, const char* where, Operands& o) {
  o.push(minus ? atom_minus : atom_plus, !minus, where);
  push(o, Register::unpack(number), where);
}

}  // namespace

bool ArmTarget::typed_memory(const TypedOperand& t, const char* where, Operands& o, Emitter& out) {
  if (!atoms::check_memory(t, "lsl #2", where, out)) return false;
  o.push(atom_open, 0, where);
  push(o, Register::unpack(t.reg), where);
  if (t.index >= 0)
    push_offset(t.index, t.minus, where, o);
  else if (t.has_value() && !o.push_value(t.value, where, out))
    return false;
  if (t.text) {
    const char* p = t.text;
    bool done;
    if (!parse_shift(p, o, out, done)) return false;
    if (!done) return out.error(p, "expected a shift, as in \"lsl #2\""), false;
    if (!atoms::ends_typed_text(p, out)) return false;
  }
  o.push(t.write_back ? atom_close_write : atom_close, 0, where);
  return true;
}

/// `name`: the table expects one at this operand.
bool ArmTarget::typed_operand(const TypedOperand& t, bool name, const char* where, Operands& o, Emitter& out) {
  if (t.mask >= 0 || t.zeroing || t.broadcast || t.size)
    return out.error(where, "ARM has no masks, broadcasts and sizes of memory"), false;
  switch (t.kind) {
    case TypedOperand::reg_:
      push(o, Register::unpack(t.reg), where);
      if (t.has_element) o.push(atom_index, t.element, where);
      if (t.write_back) o.push(atom_write, 0, where);
      return true;
    case TypedOperand::value_:
    case TypedOperand::target_: return o.push_value(t.value, where, out);
    case TypedOperand::memory_: return typed_memory(t, where, o, out);
    case TypedOperand::list_: return out.error(where, "ARM's lists of registers are said as text: \"{r4, lr}\""), false;
    case TypedOperand::text_: break;
  }
  const char* p = t.text;
  return parse_operand(p, name, o, out) && atoms::ends_typed_text(p, out);
}

bool ArmTarget::push_operands(const TypedInstruction& i, u8 names, Operands& o, Emitter& out) {
  for (std::size_t k = 0; k < i.operands.size(); ++k) {
    const TypedOperand& t = i.operands[k];
    // Behind an address without write-back a register is added to it afterwards.
    const bool behind_address = o.count != 0 && o.atom(o.count - 1) == atom_close;
    if (t.kind == TypedOperand::reg_ && behind_address)
      push_offset(t.reg, t.minus, i.where, o);
    else if (!typed_operand(t, atoms::expects_name(names, k), i.where, o, out))
      return false;
  }
  return true;
}

/// The mnemonic of a number, with what its suffixes would say (XAS_EQ and its kin). False: there is none; a null
/// spelling: an error has been reported.
bool ArmTarget::numbered_mnemonic(const TypedInstruction& i, Mnemonic& m, Emitter& out) const {
  const Spelling* const s = find_spelling(i.number);
  if (!s) return false;
  constexpr u32 condition = 15, sets_flags = 16, wide = 32, narrow = 64, then = 128, otherwise = 256, all = 511;
  m = {};
  if (i.how > all || (i.how & (wide | narrow)) == (wide | narrow) || (i.how & (then | otherwise)) == (then | otherwise))
    return out.error(i.where, "ARM has no such way of saying an instruction"), true;
  const std::string_view name = name_of(*s);
  if ((i.how & sets_flags) && !s->has_s)
    return out.error(i.where, fmt::format("`{}` has no form that sets flags", name)), true;
  if (name[0] == 'v')
    with_weaker_types(name, m);
  else
    m.spelling = s;
  m.sets_flags = i.how & sets_flags;
  m.has_condition = i.how & condition;
  if (m.has_condition) m.condition = u8((i.how & condition) - 1);
  m.width = i.how & wide ? 4 : i.how & narrow ? 2 : 0;
  m.vpt = i.how & then ? 1 : i.how & otherwise ? 2 : 0;
  return true;
}

/// The same by a name; sets `done` if it was an `it`.
bool ArmTarget::named_mnemonic(const TypedInstruction& i, Mnemonic& m, bool& done, Emitter& out) {
  const Name& name = i.mnemonic;
  if (name.size == 0) return false;
  Known& known = known_[name.hash >> (64 - known_log2)];
  if (known.size == name.size && !blocks_.vpt_left && std::memcmp(known.text, name.p, known.size) == 0)
    return m = known.mnemonic, true;
  const char* condition = i.operands.empty() || !i.operands[0].text ? i.where : i.operands[0].text;
  if (it_instruction(name.text(), condition, i.where, out)) return done = true;
  m = {};
  return look_up(name.text(), "\n", known, m, out);
}

bool ArmTarget::take_typed(const TypedInstruction& i, Emitter& out) {
  last_.row = nullptr;
  typed_.on_operands = false;
  Mnemonic& m = last_.mnemonic;
  bool done = false;
  if (!(i.number ? numbered_mnemonic(i, m, out) : named_mnemonic(i, m, done, out))) return false;
  if (done || !m.spelling) return true;
  Operands& o = last_.operands;
  o.clear();
  blocks_.implicit.end = i.where;
  if (!push_operands(i, m.spelling->names, o, out)) {
    leave_it();
  } else if (o.overflow) {
    out.error(i.where, "too many operands");
  } else if (m.quad && o.atom(0) != atom_q) {
    out.error(i.where, fmt::format("`{}` is for quad registers", i.mnemonic.text()));
    leave_it();
  } else {
    bare_ = o.atom(0) == atom_imm && o.value[0] >= 0 && o.value[0] <= 15 ? int(o.value[0]) : -1;
    match(m, o, i.where, "\n", out);
    blocks_.implicit.end = i.where;
  }
  return true;
}

bool ArmTarget::typed_instruction(const TypedInstruction& i, Emitter& out) {
  enter(out.block);
  const bool known = take_typed(i, out);
  out.block = block();
  return known;
}

}  // namespace xas::arm

std::string_view xas::arm_mnemonic(u32 number) {
  const arm::Spelling* const s = arm::find_spelling(number);
  return s ? std::string_view(arm::arm_names + s->name, s->length) : std::string_view();
}
