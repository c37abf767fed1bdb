// SPDX-License-Identifier: Apache-2.0
// Operands that are said by values (TypedOperand): made into the Statement that parsed text would be, and matched and
// encoded as that is.
#include <fmt/format.h>

#include <utility>

#include "targets/text.h"
#include "targets/x86/address.h"
#include "targets/x86/blanks.h"
#include "targets/x86/tables.h"

namespace xas::x86 {

namespace {

/// The class of memory of so many bytes; 0: there is no such size.
u64 memory_class(unsigned bytes) {
  static constexpr std::pair<u8, u64> classes[] = {
      {1, class_bit("m8")},    {2, class_bit("m16")},   {4, class_bit("m32")},
      {6, class_bit("m")},     {8, class_bit("m64")},   {10, class_bit("m80")},
      {16, class_bit("m128")}, {32, class_bit("m256")}, {64, class_bit("m512")}};
  for (const auto& [size, cls] : classes)
    if (size == bytes) return cls;
  return 0;
}

}  // namespace

Target::WinRegister X86Target::win_register(int number) const {
  const Reg& r = registers.regs[number];
  if (r.cls != RegClass::r64 && r.cls != RegClass::xmm) return {};
  return {r.cls == RegClass::xmm ? 'v' : 'r', r.number};
}

/// Reads operands that are values into a statement.
class X86Target::TypedReader {
 public:
  explicit TypedReader(X86Target& target) : x_(target) {}

  bool typed_operand(const TypedOperand& t, Statement& s, IntelFacts& facts, const char* where, Emitter& out);
  const Spelling* typed_spelling(const TypedInstruction& i, Statement& s, Emitter& out, bool& done);

 private:
  const Reg* typed_register(int number, const Operand& o, Emitter& out) const;
  bool typed_base(const TypedOperand& t, Operand& o, Emitter& out) const;
  bool typed_index(const TypedOperand& t, Operand& o, Emitter& out) const;
  bool typed_memory(const TypedOperand& t, Statement& s, Operand& o, IntelFacts& facts, Emitter& out);
  bool typed_decorations(const TypedOperand& t, Statement& s, Operand& o, IntelFacts& facts, Emitter& out);
  bool typed_text(const char* p, Statement& s, IntelFacts& facts, Emitter& out);

  X86Target& x_;
};

const Reg* X86Target::TypedReader::typed_register(int number, const Operand& o, Emitter& out) const {
  const Reg& r = registers.regs[number];
  if (x_.has_register(r)) return &r;
  out.error(o.where, fmt::format("'{}' is no register in this mode", register_name(r)));
  return nullptr;
}

bool X86Target::TypedReader::typed_base(const TypedOperand& t, Operand& o, Emitter& out) const {
  const Reg* const r = typed_register(t.reg, o, out);
  if (!r) return false;
  if (!x_.use_base(*r, o))
    return out.error(o.where, fmt::format("'{}' cannot be the base of an address", register_name(*r))), false;
  if (o.regs >= AddressRegs::rip && t.index >= 0)
    return out.error(o.where, "an address relative to %rip takes no index"), false;
  return true;
}

bool X86Target::TypedReader::typed_index(const TypedOperand& t, Operand& o, Emitter& out) const {
  const Reg* const r = typed_register(t.index, o, out);
  if (!r) return false;
  if (const char* const problem = x_.use_index(*r, o))
    return out.error(o.where,
                     *problem ? problem : fmt::format("'{}' cannot be the index of an address", register_name(*r))),
           false;
  const u8 scale = t.scale ? t.scale : 1;
  if (scale != 1 && scale != 2 && scale != 4 && scale != 8)
    return out.error(o.where, fmt::format("scale {} is not 1, 2, 4 or 8", scale)), false;
  o.scale = scale == 8 ? 3 : u8(scale >> 1);
  return true;
}

/// Memory, or what is an absolute address and a branch target at once.
bool X86Target::TypedReader::typed_memory(const TypedOperand& t, Statement& s, Operand& o, IntelFacts& facts,
                                          Emitter& out) {
  o.is_memory = true;
  o.space = space_other;
  o.value = t.value;
  i64 constant;
  if (o.value.sub != no_symbol && !o.value.modifier && out.known_constant(o.value, constant))
    o.value = {.constant = constant};
  o.symbolic = !o.value.is_constant();
  const bool bare = t.kind == TypedOperand::target_;
  if (bare && (t.reg >= 0 || t.index >= 0))
    return out.error(o.where, "a branch target has no registers; memory may have some"), false;
  if (t.text) return out.error(o.where, "an index of x86 has a scale, and no shift in words"), false;
  if (t.segment >= 0) {
    const Reg* const r = typed_register(t.segment, o, out);
    if (!r) return false;
    if (r->cls != RegClass::segment)
      return out.error(o.where, fmt::format("'{}' is no segment register", register_name(*r))), false;
    o.segment = u8(r->number + 1);
  }
  if (t.reg >= 0 && !typed_base(t, o, out)) return false;
  if (t.index >= 0 && !typed_index(t, o, out)) return false;
  o.has_displacement = t.has_value() || (!o.has_base && !o.has_index);
  if (!x_.finish_memory(s, o, out) || !o.is_memory) return o.is_memory || o.space == space_register;
  constexpr u64 rel = class_bit("rel");
  if (!bare) o.classes &= ~rel;
  if (x_.intel_ && t.size) {
    const u64 size = memory_class(t.size);
    if (!size) return out.error(o.where, fmt::format("there is no memory of {} bytes", t.size)), false;
    if (!o.vector_index) o.classes = (o.classes & ~memory_classes) | size;
    facts.sized = true;
  }
  facts.memory_bytes = t.size;
  facts.bare |= bare && !o.segment && !t.size;
  s.memory = int(s.count);
  return true;
}

/// {%k1} {z} {1to8}
bool X86Target::TypedReader::typed_decorations(const TypedOperand& t, Statement& s, Operand& o, IntelFacts& facts,
                                               Emitter& out) {
  if (t.broadcast) {
    const u64 broadcast = broadcast_class(t.broadcast);
    if (!broadcast || !o.is_memory || o.vector_index)
      return out.error(o.where, "a broadcast is of memory, to 2, 4, 8, 16 or 32 elements"), false;
    o.broadcast = t.broadcast;
    o.classes = broadcast;
    facts.sized = true;
  }
  if (t.mask < 0 && !t.zeroing) return true;
  if (s.deco & (deco_mask | deco_zero)) return out.error(o.where, "a second write mask"), false;
  s.deco_where = o.where;
  s.mask_operand = u8(s.count);
  if (t.zeroing) s.deco |= deco_zero;
  if (t.mask < 0) return true;
  const Reg* const k = typed_register(t.mask, o, out);
  if (!k) return false;
  if (k->cls != RegClass::mask || k->number == 0)
    return out.error(o.where, fmt::format("'{}' is no write mask; %k1 to %k7 are", register_name(*k))), false;
  s.deco |= deco_mask;
  s.mask = k->number;
  return true;
}

bool X86Target::TypedReader::typed_text(const char* p, Statement& s, IntelFacts& facts, Emitter& out) {
  const bool good = *p != '{' ? (x_.intel_ ? x_.parse_intel_operand(p, s, facts, out) : x_.parse_operand(p, s, out))
                    : (*skip_blanks(p + 1) | 0x20) == 'd' ? x_.parse_default_flags(p, s, out)
                                                          : x_.parse_rounding(p, s, out);
  if (!good) return false;
  p = skip_blanks(p);
  if (*p != ',') return out.error(p, "this is more than one operand"), false;
  return true;
}

bool X86Target::TypedReader::typed_operand(const TypedOperand& t, Statement& s, IntelFacts& facts, const char* where,
                                           Emitter& out) {
  if (s.count == Statement::max_operands && t.kind != TypedOperand::text_)
    return out.error(where, "too many operands"), false;
  if (t.write_back || t.has_element || t.minus || t.count)
    return out.error(where, "x86 has no lists, no elements and no write-back"), false;
  if (t.kind == TypedOperand::text_) {
    if (s.count == Statement::max_operands && *t.text != '{') return out.error(where, "too many operands"), false;
    return typed_text(t.text, s, facts, out);
  }
  Operand& o = s.ops[s.count];
  static_cast<OperandFacts&>(o) = {};
  o.value = {};
  o.where = t.name ? t.name : where;
  switch (t.kind) {
    case TypedOperand::reg_: {
      const Reg* const r = typed_register(t.reg, o, out);
      if (!r) return false;
      o.set_register(*r);
      break;
    }
    case TypedOperand::value_: x_.set_immediate(o, t.value, out); break;
    case TypedOperand::target_:
    case TypedOperand::memory_:
      if (!typed_memory(t, s, o, facts, out)) return false;
      break;
    default: return out.error(where, "x86 has no lists, no elements and no write-back"), false;
  }
  if ((t.broadcast || t.mask >= 0 || t.zeroing) && !typed_decorations(t, s, o, facts, out)) return false;
  ++s.count;
  return true;
}

/// What the mnemonic can mean. Null with `done`: nothing more is to be done; without: there is none.
const Spelling* X86Target::TypedReader::typed_spelling(const TypedInstruction& i, Statement& s, Emitter& out,
                                                       bool& done) {
  if (i.number == 0) {
    const char* p = i.rest;
    const Spelling* const spelling = x_.slow_spelling(i.mnemonic, p, s, out, done);
    if (!spelling && done && !i.operands.empty())
      out.error(i.where, fmt::format("`{}` takes no operands", i.mnemonic.text()));
    return spelling;
  }
  const Spelling* const spelling = x_.lookup(i.number);
  if (!spelling) return nullptr;
  s.where = i.where;
  s.mnemonic = name_of(*spelling);
  if (i.how && !x_.add_prefixes(i.how, s, out)) return done = true, nullptr;
  return spelling;
}

bool X86Target::typed_instruction(const TypedInstruction& i, Emitter& out) {
  TypedReader reader(*this);
  Statement s;
  bool done = false;
  const Spelling* spelling = reader.typed_spelling(i, s, out, done);
  if (!spelling) return done;
  s.shapeless = !i.has_shape;
  if (i.has_shape) fields_ = {};
  s.where = i.where;
  s.spelling = spelling;
  IntelFacts facts;
  for (const TypedOperand& t : i.operands)
    if (!reader.typed_operand(t, s, facts, i.where, out)) return true;
  if (intel_) return finish_intel(*arrange_intel(spelling, s, facts), s, facts, out), true;
  if (const Row* row = match(*spelling, s, out)) finish_instruction(*row, s, out);
  return true;
}

}  // namespace xas::x86
