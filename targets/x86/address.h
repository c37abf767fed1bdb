// SPDX-License-Identifier: Apache-2.0
// Registers of an address, and classes of memory: for those that read operands and those that are given them.
#pragma once

#include <bit>

#include "targets/x86/x86.h"

namespace xas::x86 {

inline constexpr u64 memory_classes = class_bit("m8") | class_bit("m16") | class_bit("m32") | class_bit("m64") |
                                      class_bit("m80") | class_bit("m128") | class_bit("m256") | class_bit("m512") |
                                      class_bit("m");

/// Of an address without registers, which may be the accumulator's and a branch target as well.
inline constexpr u64 bare_classes = memory_classes | class_bit("moffs") | class_bit("rel");

/// The class of {1ton}; 0: there is no such broadcast.
inline u64 broadcast_class(unsigned n) {
  static constexpr u64 classes[] = {class_bit("bc2"), class_bit("bc4"), class_bit("bc8"), class_bit("bc16"),
                                    class_bit("bc32")};
  const bool known = std::has_single_bit(n) && n >= 2 && n <= 32;
  return known ? classes[std::countr_zero(n) - 1] : 0;
}

/// How wide an address with this register is; false if it can be in none.
inline bool address_width(const Reg& r, AddressRegs& width) {
  switch (r.cls) {
    case RegClass::r64:
    case RegClass::no_index64: width = AddressRegs::r64; return true;
    case RegClass::r32:
    case RegClass::no_index32: width = AddressRegs::r32; return true;
    case RegClass::r16: width = AddressRegs::r16; return true;
    default: return false;
  }
}

/// Makes a register the base of an address; false if it can't be.
[[gnu::always_inline]] inline bool X86Target::use_base(const Reg& r, Operand& o) const {
  if (r.cls == RegClass::ip64 || r.cls == RegClass::ip32) {
    if (mode_ != 64) return false;
    o.regs = r.cls == RegClass::ip64 ? AddressRegs::rip : AddressRegs::eip;
  } else {
    if (r.cls == RegClass::no_index64 || r.cls == RegClass::no_index32 || !address_width(r, o.regs)) return false;
    o.base = r.number;
  }
  o.has_base = true;
  return true;
}

/// Makes a register the index of an address whose base is known. Not null: why it can't be; "" if it is in no address.
[[gnu::always_inline]] inline const char* X86Target::use_index(const Reg& r, Operand& o) const {
  if (r.cls == RegClass::xmm || r.cls == RegClass::ymm || r.cls == RegClass::zmm) {
    o.vector_index = r.cls == RegClass::xmm ? 1 : r.cls == RegClass::ymm ? 2 : 3;
  } else {
    AddressRegs width;
    if (!address_width(r, width)) return "";
    if (o.has_base && width != o.regs) return "base and index registers of an address must have the same size";
    o.regs = width;
    if (r.number == 4 && (r.cls == RegClass::r64 || r.cls == RegClass::r32))
      return "the stack pointer cannot be an index";
  }
  o.has_index = true;
  o.index = r.number;
  return nullptr;
}

}  // namespace xas::x86
