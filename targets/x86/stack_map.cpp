// SPDX-License-Identifier: Apache-2.0
// What stack maps need to know of x86: registers with their sizes, calls, and code that a runtime overwrites.
#include <algorithm>
#include <cstring>

#include "targets/x86/register_names.h"

namespace xas::x86 {

namespace {

u16 register_size(const Reg& r) {
  switch (r.cls) {
    case RegClass::r8: return 1;
    case RegClass::r16:
    case RegClass::segment: return 2;
    case RegClass::r32:
    case RegClass::ip32: return 4;
    case RegClass::st: return 10;
    case RegClass::xmm:
    case RegClass::bnd: return 16;
    case RegClass::ymm: return 32;
    case RegClass::zmm: return 64;
    case RegClass::tmm: return 0;
    default: return 8;
  }
}

/// The register that has a DWARF number of those that share this one's bits.
const Reg* numbered_register(const Reg& r, bool in_64) {
  RegClass cls = r.cls;
  switch (r.cls) {
    case RegClass::r8:
    case RegClass::r16:
    case RegClass::r32:
    case RegClass::r64: cls = in_64 ? RegClass::r64 : RegClass::r32; break;
    case RegClass::ymm:
    case RegClass::zmm: cls = RegClass::xmm; break;
    default: return &r;
  }
  const u8 number = r.flags & reg_no_rex ? r.number - 4 : r.number;
  for (unsigned i = 0; i < registers.count; ++i)
    if (registers.regs[i].cls == cls && registers.regs[i].number == number) return &registers.regs[i];
  return &r;
}

/// Bytes of ModRM, SIB and displacement, of 32-bit or 64-bit code.
unsigned modrm_length(const u8* at, unsigned left) {
  if (left == 0) return 0;
  const unsigned mod = at[0] >> 6, rm = at[0] & 7;
  if (mod == 3) return 1;
  unsigned n = 1;
  if (rm == 4) {
    if (left < 2) return 0;
    n = (at[1] & 7) == 5 && mod == 0 ? 6 : 2;
  } else if (rm == 5 && mod == 0) {
    n = 5;
  }
  return n + (mod == 1 ? 1 : mod == 2 ? 4 : 0);
}

unsigned legacy_prefixes(const u8* code, unsigned size) {
  unsigned n = 0;
  while (n < size && std::strchr("\x66\x67\xF2\xF3\x2E\x36\x3E\x26\x64\x65", code[n]) && code[n]) ++n;
  return n;
}

}  // namespace

bool X86Target::stack_map_register(const char*& p, StackMapRegister& r) const {
  const int i = read_register_name(p);
  if (i < 0) return false;
  const Reg& reg = registers.regs[i];
  const bool in_64 = options_.bits == 64;
  const Reg* const whole = numbered_register(reg, in_64);
  r.dwarf = in_64 ? whole->dwarf64 : whole->dwarf32;
  r.size = register_size(reg);
  if (reg.cls == RegClass::dwarf_only && !in_64) r.size = 4;
  r.bit = reg.cls == RegClass::r8 && reg.flags & reg_no_rex ? 8 : 0;
  return true;
}

/// LLVM's for stack maps: long ones in 64-bit code, up to ten bytes unless -mattr says otherwise; else of two bytes.
void X86Target::write_reserved_nops(u8* out, const NopRequest& request) const {
  static constexpr std::string_view nops[] = {
      {"\x90", 1},
      {"\x66\x90", 2},
      {"\x0F\x1F\x00", 3},
      {"\x0F\x1F\x40\x08", 4},
      {"\x0F\x1F\x44\x00\x08", 5},
      {"\x66\x0F\x1F\x44\x00\x08", 6},
      {"\x0F\x1F\x80\x00\x02\x00\x00", 7},
      {"\x0F\x1F\x84\x00\x00\x02\x00\x00", 8},
      {"\x66\x0F\x1F\x84\x00\x00\x02\x00\x00", 9},
      {"\x2E\x66\x0F\x1F\x84\x00\x00\x02\x00\x00", 10},
  };
  const u64 longest = options_.bits != 64 ? 2 : max_nop_size_ ? max_nop_size_ : std::size(nops);
  for (u64 left = request.size; left;) {
    u64 size = std::min(left, longest);
    left -= size;
    for (; size > std::size(nops); --size) *out++ = 0x66;
    std::memcpy(out, nops[size - 1].data(), size);
    out += size;
  }
}

bool X86Target::is_call(const u8* code, unsigned size) const {
  unsigned at = legacy_prefixes(code, size);
  if (mode_ == 64 && at < size && (code[at] & 0xF0) == 0x40) ++at;
  if (mode_ == 64 && at + 1 < size && code[at] == 0xD5) {  // REX2
    if (code[at + 1] & 0x80) return false;
    at += 2;
  }
  if (at >= size) return false;
  const unsigned left = size - at - 1;
  switch (code[at]) {
    case 0xE8: return left == 4 || (mode_ != 64 && left == 2) || (mode_ == 16 && left == 4);
    case 0x9A: return mode_ != 64 && (left == 4 || left == 6);
    case 0xFF: {
      if (left == 0) return false;
      const unsigned operation = code[at + 1] >> 3 & 7;
      return (operation == 2 || operation == 3) && (mode_ == 16 || modrm_length(code + at + 1, left) == left);
    }
    default: return false;
  }
}

bool X86Target::is_nop(const u8* code, unsigned size) const {
  const unsigned at = legacy_prefixes(code, size);
  if (size - at == 1) return code[at] == 0x90;
  return size - at > 2 && code[at] == 0x0F && code[at + 1] == 0x1F &&
         modrm_length(code + at + 2, size - at - 2) == size - at - 2;
}

/// movabs $to, %r11; call *%r11
void X86Target::write_patch_call(const Value& to, int scratch, Emitter& out, const char* where) const {
  constexpr u8 number_of[] = {0, 2, 1, 3, 6, 7, 5, 4, 8, 9, 10, 11, 12, 13, 14, 15};  // by DWARF number
  constexpr int r11 = 11;
  if (mode_ != 64)
    return out.error(where, "a call of an absolute address needs 64-bit code; .patchpoint_begin takes any code");
  if (scratch < 0) scratch = r11;
  if (scratch > 15) return out.error(where, "the address can be put into %rax to %r15 only");
  const u8 number = number_of[scratch];
  const bool extended = number >= 8;
  u8* o = out.out;
  *o++ = extended ? 0x49 : 0x48;
  *o++ = u8(0xB8 + (number & 7));
  std::memset(o, 0, 8);
  if (to.is_constant() && to.modifier == 0)
    std::memcpy(o, &to.constant, 8);
  else
    out.fixup({.kind = fixup_data8, .at = 2}, to, where);
  o += 8;
  if (extended) *o++ = 0x41;
  *o++ = 0xFF;
  *o++ = u8(0xD0 + (number & 7));
  out.advance(unsigned(o - out.out));
}

}  // namespace xas::x86
