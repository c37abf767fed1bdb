// SPDX-License-Identifier: Apache-2.0
// The x86 registers: names, numbers, operand classes and DWARF numbers, and how a name is looked up.
//
// A register name has at most eight characters once %st(1) is read as %st1, so that it is compared as one integer.
// The strange ones: %ah to %bh share numbers 4 to 7 with %spl to %dil, which of the two is meant depends on whether
// the instruction has a REX prefix; %riz and %eiz are an index register that is not there.
#pragma once

#include <array>
#include <string>

#include "targets/hash.h"
#include "targets/x86/row.h"

namespace xas::x86 {

enum class RegClass : u8 {
  r8, r16, r32, r64, segment, control, debug, test, st, mm, xmm, ymm, zmm, mask, tmm, bnd,
  ip64, ip32,    ///< %rip, %eip
  no_index64,    ///< %riz
  no_index32,    ///< %eiz
  dwarf_only,    ///< %rflags, %mxcsr, ...: known to CFI directives alone
};

enum RegFlag : u8 {
  reg_needs_rex = 1,  ///< %spl %bpl %sil %dil
  reg_no_rex = 2,     ///< %ah %ch %dh %bh
  reg_only64 = 4,
  reg_cfi_only = 8,  ///< known to CFI directives alone
  reg_slow = 16,     ///< X86Target::slow_register knows more: %st, behind which (1) may stand; %axl to %bxl
  reg_egpr = 32,     ///< %r16 to %r31: a REX2 or an EVEX prefix holds their fifth bit
  reg_gated = 64,    ///< came after the 8086: GNU as has it where .arch does (X86Target::has_register)
  reg_mpx = 128,     ///< %bnd0 to %bnd3
};

struct Reg {
  u64 name = 0;      ///< name_word of it
  u64 classes = 0;
  RegClass cls{};
  u8 number = 0;
  u8 flags = 0;
  i16 dwarf64 = -1;
  i16 dwarf32 = -1;
};

namespace detail {

struct RegTable {
  Reg regs[400];
  unsigned count = 0;

  constexpr Reg& add(std::string_view name, RegClass cls, unsigned number, u64 classes, u8 flags = 0) {
    Reg& r = regs[count++];
    r.name = name_word(name.data(), name.size());
    r.cls = cls;
    r.number = u8(number);
    r.classes = classes;
    r.flags = flags;
    return r;
  }

  /// prefix0, prefix1, ... from `from` to `to`; those from `only64` exist in 64-bit mode only.
  constexpr void numbered(std::string_view prefix, std::string_view tail, RegClass cls, unsigned from, unsigned to,
                          u64 low, u64 high, unsigned only64, int dwarf64 = -1, int dwarf32 = -1) {
    for (unsigned i = from; i <= to; ++i) {
      char text[8] = {};
      unsigned n = 0;
      for (char c : prefix) text[n++] = c;
      if (i >= 10) text[n++] = char('0' + i / 10);
      text[n++] = char('0' + i % 10);
      for (char c : tail) text[n++] = c;
      Reg& r = add({text, n}, cls, i, i < 16 ? low : high, i >= only64 ? reg_only64 : 0);
      if (dwarf64 >= 0) r.dwarf64 = i16(dwarf64 + int(i - from));
      if (dwarf32 >= 0 && i < 8) r.dwarf32 = i16(dwarf32 + int(i - from));
    }
  }
};

constexpr u64 class_bits(std::string_view a, std::string_view b = {}) {
  return class_bit(a) | (b.empty() ? 0 : class_bit(b));
}

constexpr std::string_view x_low[4] = {"axl", "cxl", "dxl", "bxl"};

/// General registers, and those that APX added.
constexpr void add_general(RegTable& t) {
  constexpr std::string_view legacy[8] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};
  constexpr i16 dwarf_of[8] = {0, 2, 1, 3, 7, 6, 4, 5};
  constexpr std::string_view low[8] = {"al", "cl", "dl", "bl", "ah", "ch", "dh", "bh"};
  for (unsigned i = 0; i < 8; ++i) {
    std::string_view n = legacy[i];
    char e[4] = {'e', n[0], n[1]}, r[4] = {'r', n[0], n[1]};
    // A name that is itself an operand class (al, edx, ...) has that class too.
    t.add(low[i], RegClass::r8, i, class_bits("r8") | class_bit(low[i]), i >= 4 ? reg_no_rex : 0);
    t.add(n, RegClass::r16, i, class_bits("r16") | class_bit(n));
    t.add({e, 3}, RegClass::r32, i, class_bits("r32") | class_bit({e, 3})).dwarf32 = i16(i);
    t.add({r, 3}, RegClass::r64, i, class_bits("r64") | class_bit({r, 3}), reg_only64).dwarf64 = dwarf_of[i];
  }
  constexpr std::string_view rex_low[4] = {"spl", "bpl", "sil", "dil"};
  for (unsigned i = 0; i < 4; ++i) t.add(rex_low[i], RegClass::r8, 4 + i, class_bits("r8"), reg_only64 | reg_needs_rex);
  // GNU as: the low bytes by names of their own, behind a REX prefix.
  for (unsigned i = 0; i < 4; ++i)
    t.add(x_low[i], RegClass::r8, i, class_bits("r8"), reg_only64 | reg_needs_rex | reg_slow);
  t.numbered("r", "b", RegClass::r8, 8, 15, class_bits("r8"), 0, 0);
  t.numbered("r", "w", RegClass::r16, 8, 15, class_bits("r16"), 0, 0);
  t.numbered("r", "d", RegClass::r32, 8, 15, class_bits("r32"), 0, 0);
  t.numbered("r", "", RegClass::r64, 8, 15, class_bits("r64"), 0, 0, 8);
  // Those that came with APX.
  constexpr struct {
    std::string_view tail, high;
    RegClass cls;
  } extended[4] = {{"b", "r8h", RegClass::r8},
                   {"w", "r16h", RegClass::r16},
                   {"d", "r32h", RegClass::r32},
                   {"", "r64h", RegClass::r64}};
  for (const auto& x : extended) {
    const unsigned first = t.count;
    t.numbered("r", x.tail, x.cls, 16, 31, 0, class_bits(x.high), 16, x.tail.empty() ? 130 : -1);
    for (unsigned i = first; i < t.count; ++i) t.regs[i].flags |= reg_needs_rex | reg_egpr;
  }
}

/// Registers of vectors, floating point, masks and bounds.
constexpr void add_vectors(RegTable& t) {
  t.numbered("mm", "", RegClass::mm, 0, 7, class_bits("mm"), 0, 8, 41, 29);
  t.numbered("st", "", RegClass::st, 0, 0, class_bits("st", "st0"), 0, 8, 33, 11);
  t.numbered("st", "", RegClass::st, 1, 7, class_bits("st"), 0, 8, 34, 12);
  Reg& st = t.add("st", RegClass::st, 0, class_bits("st", "st0"), reg_slow);
  st.dwarf64 = 33;
  st.dwarf32 = 11;
  t.numbered("xmm", "", RegClass::xmm, 0, 0, class_bits("xmm", "xmm0"), 0, 8, 17, 21);
  t.numbered("xmm", "", RegClass::xmm, 1, 15, class_bits("xmm"), 0, 8, 18, 22);
  t.numbered("xmm", "", RegClass::xmm, 16, 31, 0, class_bits("xmmh"), 8, 67);
  // DWARF numbers are those of the XMM registers in them.
  t.numbered("ymm", "", RegClass::ymm, 0, 15, class_bits("ymm"), 0, 8, 17, 21);
  t.numbered("ymm", "", RegClass::ymm, 16, 31, 0, class_bits("ymmh"), 8, 67);
  t.numbered("zmm", "", RegClass::zmm, 0, 15, class_bits("zmm"), 0, 8, 17, 21);
  t.numbered("zmm", "", RegClass::zmm, 16, 31, 0, class_bits("zmm"), 8, 67);
  t.numbered("k", "", RegClass::mask, 0, 7, class_bits("k"), 0, 8, 118, 93);
  t.numbered("tmm", "", RegClass::tmm, 0, 7, class_bits("tmm"), 0, 0);
  t.numbered("bnd", "", RegClass::bnd, 0, 3, class_bits("bnd"), 0, 8, 126, 101);
}

/// Those that only unwind information names.
constexpr void add_dwarf_only(RegTable& t) {
  struct Named {
    std::string_view name;
    i16 dwarf64, dwarf32;
  };
  constexpr Named named[] = {{"rflags", 49, -1}, {"eflags", -1, 9},  {"fs.base", 58, -1}, {"gs.base", 59, -1},
                             {"tr", 62, 48},     {"ldtr", 63, 49},   {"mxcsr", 64, 39},   {"fcw", 65, 37},
                             {"fsw", 66, 38}};
  for (const Named& n : named) {
    Reg& r = t.add(n.name, RegClass::dwarf_only, 0, 0, reg_cfi_only);
    r.dwarf64 = n.dwarf64;
    r.dwarf32 = n.dwarf32;
  }
}

constexpr RegTable make_registers() {
  RegTable t;
  add_general(t);
  constexpr std::string_view segments[6] = {"es", "cs", "ss", "ds", "fs", "gs"};
  for (unsigned i = 0; i < 6; ++i) {
    Reg& r = t.add(segments[i], RegClass::segment, i, class_bit(segments[i]));
    r.dwarf64 = i16(50 + i);
    r.dwarf32 = i16(40 + i);
  }
  t.numbered("cr", "", RegClass::control, 0, 15, class_bits("creg"), 0, 16);
  t.numbered("dr", "", RegClass::debug, 0, 15, class_bits("dreg"), 0, 8);
  t.numbered("db", "", RegClass::debug, 0, 15, class_bits("dreg"), 0, 8);
  t.numbered("tr", "", RegClass::test, 0, 7, class_bits("treg"), 0, 8);
  add_vectors(t);
  t.add("rip", RegClass::ip64, 0, 0, reg_only64).dwarf64 = 16;
  t.add("eip", RegClass::ip32, 0, 0).dwarf32 = 8;
  t.add("riz", RegClass::no_index64, 4, 0, reg_only64);
  t.add("eiz", RegClass::no_index32, 4, 0);
  add_dwarf_only(t);
  for (unsigned i = 0; i < t.count; ++i) {
    const RegClass cls = t.regs[i].cls;
    const bool early = cls == RegClass::r8 || cls == RegClass::r16 || cls == RegClass::r64;
    if ((!early && cls < RegClass::ip64) || (t.regs[i].flags & reg_egpr)) t.regs[i].flags |= reg_gated;
    if (cls == RegClass::bnd) t.regs[i].flags |= reg_mpx;
  }
  return t;
}

}  // namespace detail

inline constexpr detail::RegTable registers = detail::make_registers();

namespace detail {

constexpr std::array<Reg, 4> make_implied_low_bytes() {
  std::array<Reg, 4> low;
  constexpr std::string_view name[4] = {"al", "cl", "dl", "bl"};
  for (unsigned i = 0, found = 0; i < registers.count && found < 4; ++i) {
    if (registers.regs[i].name != name_word(x_low[found].data(), 3)) continue;
    low[found] = registers.regs[i];
    low[found].classes |= class_bit(name[found]);
    ++found;
  }
  return low;
}

}  // namespace detail

/// %axl to %bxl where they are what %al to %bl are (GNU as from 2.47 on).
inline constexpr std::array<Reg, 4> implied_low_bytes = detail::make_implied_low_bytes();

namespace detail {

inline constexpr unsigned reg_slots = 1024;
constexpr unsigned reg_slot(u64 name) { return unsigned((name * hash_multiplier) >> 54); }

constexpr std::array<u16, reg_slots> make_reg_slots() {
  std::array<u16, reg_slots> slots{};
  for (unsigned i = 0; i < registers.count; ++i) {
    unsigned s = reg_slot(registers.regs[i].name);
    while (slots[s]) s = (s + 1) % reg_slots;
    slots[s] = u16(i + 1);
  }
  return slots;
}
inline constexpr std::array<u16, reg_slots> reg_index = make_reg_slots();

}  // namespace detail

/// The register of that (lower case) name as a name_word, or -1.
inline int find_register(u64 name) {
  for (unsigned s = detail::reg_slot(name);; s = (s + 1) % detail::reg_slots) {
    unsigned i = detail::reg_index[s];
    if (!i) return -1;
    if (registers.regs[i - 1].name == name) return int(i - 1);
  }
}

/// The name of a register, without %.
inline std::string register_name(const Reg& r) {
  std::string s;
  for (u64 word = r.name; word; word >>= 8) s += char(word & 0xFF);
  return s;
}

}  // namespace xas::x86
