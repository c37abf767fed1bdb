// SPDX-License-Identifier: Apache-2.0
// What an Intel operand is, which follows from the whole of it: with a register, a bracket or a segment it is memory; a
// bare symbol is memory and a branch target; OFFSET, bare numbers and what operators make of symbols are immediates.
#include <fmt/format.h>

#include <utility>

#include "targets/x86/address.h"
#include "targets/x86/explain.h"
#include "targets/x86/intel_operand.h"
#include "targets/x86/intel_words.h"

namespace xas::x86 {

bool X86Target::finish_intel_operand(IntelExpression& e, Statement& s, Operand& o, IntelFacts& facts, Emitter& out) {
  IntelTerm& term = e.term;
  make_number(term.value, out);
  if (term.value.modifier && term.value.add == no_symbol)
    return out.error(o.where, "a relocation modifier needs a symbol"), false;
  const bool gnu = options_.gnu;
  if (e.loose_register) {
    const bool lone = term.regs == 1 && !term.scale[0] && !term.bracket && !e.memory && !o.segment && !term.offset;
    if (!lone || !term.value.is_constant() || term.value.constant)
      return out.error(e.loose_register, "a register of an address stands in brackets"), false;
    o.set_register(*term.reg[0]);  // (ecx)
    return true;
  }
  const bool symbolic = !term.value.is_constant();
  const bool named = symbolic && (e.memory || !term.joined);  // a distance of labels is no address
  bool memory = term.regs || o.segment || (term.bracket && !term.offset) || (named && !term.offset);
  if (!gnu && ((term.bracket && term.offset) || (e.memory && symbolic))) memory = true;
  const IntelWord name(s.mnemonic.data(), s.mnemonic.size());
  const bool indirect = e.memory && (name.view() == "call" || name.view() == "jmp");  // call dword ptr [offset f]
  if (gnu && term.offset && !term.regs && !o.segment && !indirect) memory = false;
  if (gnu && term.offset && indirect) memory = true;
  bool bare = !term.bracket && !term.regs && !e.memory && !o.segment;
  if (!memory) {
    set_immediate(o, term.value, out);
    if (bare ? gnu || !term.offset : gnu && term.offset) o.classes |= class_bit("rel");
    if (gnu && term.offset && !e.memory) bare = true;  // call [offset f] is call f
    facts.bare |= bare;
    return true;
  }
  facts.bare |= bare;
  o.is_memory = true;
  o.space = space_other;
  o.value = term.value;
  o.symbolic = symbolic;
  o.has_displacement = symbolic || term.value.constant || !term.regs;
  if (!set_intel_registers(term, o, facts, out)) return false;
  if (!finish_memory(s, o, out)) return false;
  if (!o.is_memory) return true;
  if (!bare) o.classes &= ~class_bit("rel");
  if (e.memory && !o.vector_index) o.classes = (o.classes & ~memory_classes) | e.memory;
  if (e.broadcast) {
    if (o.vector_index) return out.error(o.where, "a vector index cannot be broadcast"), false;
    o.classes = class_bit("bc2") | class_bit("bc4") | class_bit("bc8") | class_bit("bc16") | class_bit("bc32");
    o.broadcast = 1;
  }
  if (o.is_memory) s.memory = int(s.count);
  return true;
}

/// Base and index of an address.
bool X86Target::set_intel_registers(IntelTerm& t, Operand& o, IntelFacts& facts, Emitter& out) const {
  auto is_vector = [](const Reg& r) {
    return r.cls == RegClass::xmm || r.cls == RegClass::ymm || r.cls == RegClass::zmm;
  };
  // Which is the index: the vector, the one with a scale, the one that can be nothing else; else the second.
  if (t.regs == 2) {
    auto bad_index = [](const Reg& r) {
      return (r.number == 4 && (r.cls == RegClass::r64 || r.cls == RegClass::r32)) ||
             (r.cls == RegClass::r16 && (r.number == 3 || r.number == 5)) || r.cls == RegClass::ip64 ||
             r.cls == RegClass::ip32;
    };
    auto no_base = [](const Reg& r) { return r.cls == RegClass::no_index64 || r.cls == RegClass::no_index32; };
    const bool first = is_vector(*t.reg[0]) || no_base(*t.reg[0]) ||
                       (!is_vector(*t.reg[1]) && !t.scale[1] && (t.scale[0] || bad_index(*t.reg[1])));
    if (first) {
      facts.exchanged |= !t.scale[0] && !is_vector(*t.reg[0]) && !no_base(*t.reg[0]);
      std::swap(t.reg[0], t.reg[1]);
      std::swap(t.scale[0], t.scale[1]);
    }
    if (t.scale[0] > 1) return out.error(o.where, "only one register of an address can be scaled"), false;
  }
  const bool single_index =
      t.regs == 1 && (t.scale[0] || is_vector(*t.reg[0]) || t.reg[0]->cls == RegClass::no_index64 ||
                      t.reg[0]->cls == RegClass::no_index32);
  const Reg* base = t.regs && !single_index ? t.reg[0] : nullptr;
  const Reg* index = single_index ? t.reg[0] : t.regs == 2 ? t.reg[1] : nullptr;
  const i64 scale = single_index ? t.scale[0] : t.scale[1];
  if (base && !set_intel_base(*base, index, o, out)) return false;
  return !index || set_intel_index(*index, scale, o, out);
}

bool X86Target::set_intel_base(const Reg& r, const Reg* index, Operand& o, Emitter& out) const {
  o.has_base = true;
  if (r.cls == RegClass::ip64 || r.cls == RegClass::ip32) {
    if (mode_ != 64) return out.error(o.where, "addresses relative to rip need 64-bit code"), false;
    if (index) return out.error(o.where, "an address relative to rip takes no index"), false;
    o.regs = r.cls == RegClass::ip64 ? AddressRegs::rip : AddressRegs::eip;
    return true;
  }
  if (!address_width(r, o.regs))
    return out.error(o.where, Explainer(*this).explain_in_address(register_name(r))), false;
  o.base = r.number;
  return true;
}

bool X86Target::set_intel_index(const Reg& r, i64 scale, Operand& o, Emitter& out) const {
  const bool scaled = scale != 0;
  if (!scaled) scale = 1;
  if (scale != 1 && scale != 2 && scale != 4 && scale != 8)
    return out.error(o.where, fmt::format("scale {} is not 1, 2, 4 or 8", scale)), false;
  o.has_index = true;
  o.index = r.number;
  o.scale = scale == 8 ? 3 : u8(scale >> 1);
  if (r.cls == RegClass::xmm || r.cls == RegClass::ymm || r.cls == RegClass::zmm) {
    o.vector_index = r.cls == RegClass::xmm ? 1 : r.cls == RegClass::ymm ? 2 : 3;
    return true;
  }
  AddressRegs w{};
  if (!address_width(r, w)) return out.error(o.where, Explainer(*this).explain_in_address(register_name(r))), false;
  if (o.has_base && w != o.regs)
    return out.error(o.where, Explainer(*this).explain_index(
                                  "base and index registers of an address must have the same size", r, o.regs)),
           false;
  o.regs = w;
  if (r.number == 4 && (r.cls == RegClass::r64 || r.cls == RegClass::r32))
    return out.error(o.where, fmt::format("the stack pointer cannot be an index; as a base it takes no scale: [{}]",
                                          register_name(r))),
           false;
  if (w == AddressRegs::r16 && scaled) return out.error(o.where, "16-bit addresses have no scale"), false;
  return true;
}

}  // namespace xas::x86
