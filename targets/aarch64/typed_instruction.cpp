// SPDX-License-Identifier: Apache-2.0
// Operands that are said by values (TypedOperand), as the atoms that their text would give.

#include "targets/aarch64/aarch64.h"
#include "targets/aarch64/tables.h"

namespace xas::aarch64 {

namespace {

/// A register and its element.
void push_register(const TypedOperand& t, const char* where, Operands& o) {
  const Register r = Register::unpack(t.reg);
  const bool whole = r.atom >= atom_v_8b && r.atom <= atom_v_2d;
  o.push(t.has_element && whole ? element_of(r.atom) : r.atom, r.number, where);
  if (t.has_element) o.push(atom_index, t.element, where);
}

/// [x0]! as [x0, #0]!: values do not tell which one is meant, and no mnemonic has both.
Operands with_zero_offsets(const Operands& o) {
  Operands more = o;
  more.truncate(0);
  for (unsigned i = 0; i < o.count; ++i) {
    if (o.atom(i) == atom_close_write && i >= 2 && o.atom(i - 2) == atom_open) more.push(atom_imm, 0, o.where[i]);
    more.push(o.atom(i), o.value[i], o.where[i]);
  }
  return more;
}

}  // namespace

bool AArch64Target::typed_memory(const TypedOperand& t, const char* where, Operands& o, Emitter& out) {
  if (!atoms::check_memory(t, "lsl #3", where, out)) return false;
  o.push(atom_open, 0, where);
  const Register base = Register::unpack(t.reg);
  o.push(base.atom, base.number, where);
  if (t.index >= 0) {
    const Register index = Register::unpack(t.index);
    o.push(index.atom, index.number, where);
  } else if (t.has_value() && !o.push_value(t.value, where, out)) {
    return false;
  }
  if (t.text) {
    const char* p = t.text;
    if (!parse_operand(p, false, o, out)) return false;
    if (*p != ',') return out.error(p, "this is more than one shift or extension"), false;
  }
  o.push(t.write_back ? atom_close_write : atom_close, 0, where);
  return true;
}

/// `name`: the table expects one at this operand.
bool AArch64Target::typed_operand(const TypedOperand& t, bool name, const char* where, Operands& o, Emitter& out) {
  if (t.mask >= 0 || t.zeroing || t.broadcast || t.size || t.minus)
    return out.error(where, "AArch64 has no masks, broadcasts, sizes of memory and no subtracted index"), false;
  switch (t.kind) {
    case TypedOperand::reg_:
      push_register(t, where, o);
      if (t.write_back) o.push(atom_write, 0, where);
      return true;
    case TypedOperand::value_:
    case TypedOperand::target_: return o.push_value(t.value, where, out);
    case TypedOperand::memory_: return typed_memory(t, where, o, out);
    case TypedOperand::list_:
      if (t.count < 1 || t.count > 4) return out.error(where, "a list has one to four registers"), false;
      o.push(Atom(atom_list1 + t.count - 1), 0, where);
      push_register(t, where, o);
      return true;
    case TypedOperand::text_: break;
  }
  const char* p = t.text;
  return parse_operand(p, name, o, out) && atoms::ends_typed_text(p, out);
}

bool AArch64Target::typed_instruction(const TypedInstruction& i, Emitter& out) {
  repeats_ = true;
  row_ = nullptr;
  const Spelling* s = i.number ? find_spelling(i.number) : find_spelling(i.mnemonic.text(), i.mnemonic.hash);
  if (!s) return false;
  if (i.how) return out.error(i.where, "A64 has no such way of saying an instruction"), true;
  Operands& o = operands_;
  o.clear();
  literal_high_.reset();
  unsigned k = 0;
  for (const TypedOperand& t : i.operands) {
    if (!typed_operand(t, atoms::expects_name(s->names, k), i.where, o, out)) return true;
    ++k;
  }
  if (o.overflow) {
    out.error(i.where, "too many operands");
  } else if (!match(*s, o, i.where, out)) {
    constexpr const char* end = "\n";
    const char* p = end;
    Operands again = o;
    const bool is_named = read_as_symbol(*s, again, p, true, out) && match(*s, again, i.where, out);
    if (!is_named && !match(*s, with_zero_offsets(o), i.where, out)) explain(*s, o, i.where, end, out);
    row_ = nullptr;  // its fields are not those of these operands
  }
  return true;
}

}  // namespace xas::aarch64

std::string_view xas::aarch64_mnemonic(u32 number) {
  const aarch64::Spelling* const s = aarch64::find_spelling(number);
  return s ? std::string_view(aarch64::a64_names + s->name, s->length) : std::string_view();
}
