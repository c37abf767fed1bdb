// SPDX-License-Identifier: Apache-2.0
// What an immediate or an address is once its parts have been read, in either syntax: the classes it has (row.h), and
// whether there is such an address.
//
// A number has the classes of all ranges it is in, and GNU as and LLVM differ about numbers that wrap around.
#include <cstdlib>
#include <string_view>

#include "targets/text.h"
#include "targets/x86/address.h"

namespace xas::x86 {

using text::is_digit;

/// What is known only in the end has a field of 16 or 32 bits, unless its modifier has a relocation of 8 or 64 alone.
void X86Target::classify_symbolic_immediate(Operand& o) const {
  o.symbolic = true;
  o.classes = class_bit("sym");
  switch (o.value.modifier) {
    case mod_abs8: o.classes |= class_bit("i8") | class_bit("s8_16") | class_bit("s8_32") | class_bit("s8_64"); break;
    case mod_size:
      if (!options_.gnu) break;
      [[fallthrough]];
    case mod_gotoff:
    case mod_gotplt:
    case mod_pltoff: o.classes |= class_bit("sym64"); break;
    default: break;
  }
}

/// GNU as from 2.44 on: a number in 32-bit code that operators made of numbers of 32 bits is a number of 32 bits.
bool X86Target::wraps_silently(const Operand& o) const {
  if (!options_.gnu_since(244) || options_.bits != 32 || mode_ == 64 || !o.where) return false;
  bool has_operator = false;
  for (const char* p = o.where;; ++p) {
    if (is_digit(*p)) {
      char* end;
      if (std::strtoull(p, &end, 0) > 0xFFFFFFFF) return false;
      p = end - 1;
    } else if (*p == '(' && p[1] == '%') {
      return has_operator;
    } else if (std::string_view("+-*/~!&|^<>").find(*p) != std::string_view::npos) {
      has_operator = true;
    } else if (*p == ',' || *p == '\n' || *p == '\0' || *p == ';' || *p == '#') {
      return has_operator;
    } else if (std::string_view("()$ \t").find(*p) == std::string_view::npos) {
      return false;
    }
  }
}

/// Puts the classes of a constant immediate: all ranges it falls into.
void X86Target::classify_immediate(Operand& o) const {
  constexpr u64 any = class_bit("imm"), i32s = class_bit("i32s"), i32 = class_bit("i32"), i16 = class_bit("i16"),
                i8c = class_bit("i8"), s16 = class_bit("s8_16"), s32 = class_bit("s8_32"), s64 = class_bit("s8_64"),
                u4 = class_bit("u4"), one = class_bit("one"), three = class_bit("three");
  i64 v = o.value.constant;
  if (options_.bits == 32 && mode_ != 64 && v < -0x80000000ll && v > -0x100000000ll) [[unlikely]] {
    // ~(1 << 31): where numbers have 32 bits, they wrap around. LLVM does not look for a shorter one then.
    v = o.value.constant = i64(::xas::i32(v));
    if (!options_.gnu) {
      o.classes = any | i32;
      return;
    }
  }
  u64 c = any;
  if (v >= -128 && v <= 127) {
    c |= i32s | i32 | i16 | i8c | s16 | s32 | s64;
    if (u64(v) <= 15) c |= u4;
    if (v == 1) c |= one;
    if (v == 3) c |= three;
  } else {
    if (options_.gnu && mode_ != 64 && v != i64(::xas::i32(v))) {  // its numbers have 32 bits there
      o.value.constant = i64(::xas::i32(v));
      classify_immediate(o);
      if (options_.gnu_since(244) && is_longer_than_32_bits(v) && !wraps_silently(o)) o.classes &= any | i32 | i32s;
      return;
    }
    if (v == i64(::xas::i32(v))) c |= i32s;
    if (v >= -0x80000000ll && v <= 0xFFFFFFFFll) {
      c |= i32;
      i64 w = i64(::xas::i32(u32(v)));
      if (w >= -128 && w <= 127) c |= s32;
    }
    if (v >= -0x8000 && v <= 0xFFFF) {
      c |= i16;
      i64 w = i64(::xas::i16(u16(v)));
      if (w >= -128 && w <= 127) c |= s16;
    }
    if (v >= -128 && v <= 255) c |= i8c;
    if (options_.gnu && v > 0x7FFFFFFF && v <= 0xFFFFFFFFll) {
      // GNU as reads 32 bits with their sign before it looks for fewer: addw $0xffffff80, %ax
      const i64 w = i64(::xas::i32(u32(v)));
      if (w >= -128) c |= i8c | s16;
      if (w >= -0x8000) c |= i16;
    }
  }
  o.classes = c;
}

/// Decides what an immediate is whose value has been read.
void X86Target::settle_immediate(Operand& o, Emitter& out) const {
  o.symbolic = !make_number(o.value, out);
  o.symbolic ? classify_symbolic_immediate(o) : classify_immediate(o);
}

/// The operand is an immediate of that value.
void X86Target::set_immediate(Operand& o, const Value& value, Emitter& out) const {
  o.is_immediate = true;
  o.space = space_other;
  o.value = value;
  settle_immediate(o, out);
}

/// Puts the classes of a memory operand. 16-bit addresses have eight combinations of registers only.
bool X86Target::finish_memory(Statement& s, Operand& o, Emitter& out) {
  constexpr u64 vector_classes[2][3] = {{class_bit("vmx"), class_bit("vmy"), class_bit("vmz")},
                                        {class_bit("vmxh"), class_bit("vmyh"), class_bit("vmz")}};
  if (o.vector_index) {
    o.classes = vector_classes[o.index >= 16][o.vector_index - 1];
    if (!o.has_base) o.regs = mode_ == 16 ? AddressRegs::r32 : AddressRegs::none;
  } else if (!o.has_base && !o.has_index) {
    o.classes = o.segment ? bare_classes & ~class_bit("rel") : bare_classes;
    if (o.value.modifier && options_.gnu && mode_ == 32 && modifier_name(o.value.modifier) == "GOT")
      o.classes &= ~class_bit("moffs");
    const i64 v = o.value.constant;
    if (mode_ == 64 && !o.symbolic && v != i64(i32(v)) && !(s.prefixes & prefix_addr)) [[unlikely]]
      o.classes |= class_bit("moffs64");
    if (mode_ == 64 && options_.gnu && (s.prefixes & (prefix_addr | want_disp32))) [[unlikely]]
      o.classes |= class_bit("moffs64");
  } else {
    o.classes = memory_classes;
  }
  if (o.regs == AddressRegs::r16 && o.has_base && o.base == 2 && !o.has_index && !o.has_displacement) {
    // (%dx) is the register, in the operands of in, out, ins and outs.
    const Reg* dx = &registers.regs[find_register(name_word("dx", 2))];
    static_cast<OperandFacts&>(o) = {};
    o.set_register(*dx);
    o.classes = class_bit("dx");
    return true;
  }
  if (o.regs == AddressRegs::r16) {
    auto is_bx_bp = [](u8 n) { return n == 3 || n == 5; };
    auto is_si_di = [](u8 n) { return n == 6 || n == 7; };
    bool ok =
        mode_ != 64 && o.scale == 0 &&
        (o.has_index ? o.has_base && is_bx_bp(o.base) && is_si_di(o.index) : is_bx_bp(o.base) || is_si_di(o.base));
    if (!ok)
      return out.error(o.where, mode_ == 64 ? "64-bit code has no 16-bit addresses"
                                            : "not a 16-bit address: (%bx|%bp[,%si|%di]), (%si) and (%di) are"),
             false;
  }
  s.unusual_address |=
      o.segment != 0 || (o.regs != native_regs_ && o.regs != AddressRegs::none && o.regs != AddressRegs::rip);
  if (((o.has_base ? o.base : 0) | (o.has_index && !o.vector_index ? o.index : 0)) & 16) [[unlikely]]
    s.prefixes |= uses_egpr;
  if (mode_ != 64 && o.regs == AddressRegs::r64) return out.error(o.where, "64-bit addresses need 64-bit code"), false;
  return true;
}

}  // namespace xas::x86
