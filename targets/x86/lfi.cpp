// SPDX-License-Identifier: Apache-2.0
// Code for a sandbox (Lightweight Fault Isolation, the triple x86_64_lfi): %r15 points to what the runtime keeps for
// the thread, and 16 bytes behind that is the thread's pointer, which takes the place of %fs; %r14 holds the sandbox's
// first address, before which stands where system calls go; %r11 is free for what is made here. LLVM 23 confines no
// other access and no branch of x86.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "targets/x86/tables.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

namespace {

constexpr unsigned scratch_register = 11, first_reserved = 14, last_reserved = 15;
constexpr u8 segment_fs = 4 + 1;  // as Operand::segment
constexpr u8 thread_pointer_offset = 16;

bool is_general(const Operand& o) {
  if (o.space != space_register) return false;
  switch (o.reg->cls) {
    case RegClass::r8:
    case RegClass::r16:
    case RegClass::r32:
    case RegClass::r64: return true;
    default: return false;
  }
}

/// REX, or REX2 if it is needed, of an instruction of 64 bits.
u8* put_rex_w(u8* o, unsigned reg, unsigned index, unsigned base) {
  const auto bits = [&](unsigned at) { return (reg >> at & 1) << 2 | (index >> at & 1) << 1 | (base >> at & 1); };
  if ((reg | index | base) > 15) {
    *o++ = 0xD5;
    *o++ = u8(bits(4) << 4 | 8 | bits(3));
  } else {
    *o++ = u8(0x48 | bits(3));
  }
  return o;
}

/// movq 16(%r15), %to
u8* put_thread_pointer(u8* o, unsigned to) {
  constexpr unsigned r15 = 15;
  o = put_rex_w(o, to, 0, r15);
  *o++ = 0x8B;
  *o++ = u8(0x40 | (to & 7) << 3 | (r15 & 7));
  *o++ = thread_pointer_offset;
  return o;
}

/// leaq (%to,%index), %to
u8* put_sum(u8* o, unsigned to, unsigned index) {
  const bool needs_displacement = (to & 7) == 5;
  o = put_rex_w(o, to, index, to);
  *o++ = 0x8D;
  *o++ = u8((needs_displacement ? 0x44 : 0x04) | (to & 7) << 3);
  *o++ = u8((index & 7) << 3 | (to & 7));
  if (needs_displacement) *o++ = 0;
  return o;
}

/// The instruction reads this register without naming it.
bool reads_silently(const Facts& facts, unsigned number) {
  constexpr u32 resources[] = {resource_ax, resource_cx, resource_dx, resource_bx,
                               resource_sp, resource_bp, resource_si, resource_di};
  return number < std::size(resources) && (facts.reads & resources[number]);
}

/// It reads an operand that is this register.
bool reads(const Statement& s, const Facts& facts, unsigned number) {
  for (unsigned i = 0; i < s.count; ++i) {
    const bool is_read = facts.access(i) != access_write;
    if (is_general(s.ops[i]) && s.ops[i].number == number && is_read) return true;
  }
  return false;
}

bool addresses_by(const Operand& m, unsigned number) {
  return (m.has_base && m.base == number) || (m.has_index && m.index == number);
}

/// The register that becomes the thread's pointer: the destination, if nothing else needs what it holds.
unsigned register_for_pointer(const Row& row, const Statement& s, const Facts& facts) {
  const unsigned last = s.count - 1;
  const Operand& to = s.ops[last];
  // bsf and bsr may leave it as it is.
  const bool may_stay =
      row.encoding == encoding_legacy && row.map == map_0f && !row.pp && (row.opcode == 0xBC || row.opcode == 0xBD);
  if (to.space != space_register || to.reg->cls != RegClass::r64 || facts.access(last) != access_write || may_stay)
    return scratch_register;
  const bool is_needed =
      addresses_by(s.ops[s.memory], to.number) || reads(s, facts, to.number) || reads_silently(facts, to.number);
  return is_needed ? scratch_register : to.number;
}

/// An address by %fs that is one of registers of 64 bits, not of the stack or the instruction's place.
bool can_be_moved(const Operand& m) {
  constexpr unsigned rsp = 4;
  if (m.vector_index || (m.has_base && m.base == rsp) || (m.has_index && m.index == rsp)) return false;
  return m.regs == AddressRegs::none || m.regs == AddressRegs::r64;
}

/// LLVM does not know that these access memory, or takes what they do with an address for an access.
bool leaves_fs(const Row& row, const Facts& facts, unsigned memory) {
  const unsigned digit = row.modrm >> 3 & 7;
  const bool legacy = row.encoding == encoding_legacy;
  if (facts.access(memory) == access_none) {
    const bool of_caches = row.opcode == 0x0D || row.opcode == 0x18 || row.opcode == 0x1C || row.opcode == 0xAE;
    return !(legacy && row.map == map_0f && of_caches);
  }
  if (legacy && row.map == map_0f) {
    switch (row.opcode) {
      case 0x01: return digit == 4 || facts.has(trait_dtable);  // smsw, lgdt and its kin
      case 0xB2:
      case 0xB4:
      case 0xB5: return true;        // lss, lfs, lgs
      case 0xC7: return digit >= 6;  // vmptrld and its kin
      default: return false;
    }
  }
  if (row.map != map_0f38) return false;
  const bool invalidates = row.opcode >= 0x80 && row.opcode <= 0x82;  // invept and its kin
  const bool enqueues = row.opcode == 0xF8 && row.pp != 1;            // enqcmd
  return legacy ? invalidates || enqueues : row.encoding == encoding_vex && row.opcode == 0x4A;  // tileloaddrs
}

/// The operand is memory that the ModRM byte addresses, and what is there counts.
bool is_access(const Row& row, const Facts& facts, const Statement& s) {
  if (s.memory < 0 || s.ops[s.memory].segment != segment_fs) return false;
  return operand_in_role(row, role_rm) == unsigned(s.memory) && !leaves_fs(row, facts, unsigned(s.memory));
}

/// False after an error.
bool keeps_reserved(const Statement& s, const Facts& facts, Emitter& out) {
  for (unsigned i = 0; i < s.count; ++i) {
    const Operand& o = s.ops[i];
    if (!(facts.access(i) & access_write) || !is_general(o) || o.number < first_reserved || o.number > last_reserved)
      continue;
    out.error(o.where,
              fmt::format("%r{} is reserved in the code of a sandbox (LFI), and may not be changed", o.number));
    return false;
  }
  return true;
}

}  // namespace

/// The thread's pointer in place of %fs. False after an error.
bool X86Target::replace_fs(const Row& row, Statement& s, Emitter& out) const {
  const Facts& facts = facts_of(row);
  Operand& m = s.ops[s.memory];
  if (!can_be_moved(m)) {
    out.error(m.where, "in the code of a sandbox (LFI), %fs has addresses of 64-bit registers but %rsp and %rip only");
    return false;
  }
  m.segment = 0;
  s.unusual_address = false;
  if (!m.has_base && !m.has_index && !m.symbolic && m.value.constant == 0) {
    m.has_base = true;
    m.base = last_reserved;
    m.regs = AddressRegs::r64;
    m.value.constant = thread_pointer_offset;
    m.has_displacement = true;
    return true;
  }
  const unsigned to = register_for_pointer(row, s, facts);
  const bool has_sum = m.has_base && m.has_index;
  const bool clobbers = to == scratch_register && (reads(s, facts, to) || addresses_by(m, to));
  if (clobbers) {
    out.error(s.where, "in the code of a sandbox (LFI), %r11 is needed for what %fs stands for");
    return false;
  }
  u8* o = put_thread_pointer(out.out, to);
  if (has_sum) {
    o = put_sum(o, to, m.base);
  } else if (m.has_base) {
    m.index = m.base;
    m.has_index = true;
    m.scale = 0;
  }
  m.has_base = true;
  m.base = u8(to);
  m.regs = AddressRegs::r64;
  out.advance(unsigned(o - out.out));
  return true;
}

/// False: nothing is left to do.
bool X86Target::confine(const Row& row, Statement& s, Emitter& out) const {
  if (mode_ != 64) return true;
  const Facts& facts = facts_of(row);
  if (!keeps_reserved(s, facts, out)) return false;
  constexpr u8 opcode_syscall = 0x05;
  if (row.encoding == encoding_legacy && row.map == map_0f && row.opcode == opcode_syscall &&
      facts.branch == Branch::trap) {
    // leaq 1f(%rip), %r11; jmpq *-8(%r14); 1:
    constexpr u8 code[] = {0x4C, 0x8D, 0x1D, 4, 0, 0, 0, 0x41, 0xFF, 0x66, 0xF8};
    std::copy(std::begin(code), std::end(code), out.out);
    out.advance(sizeof code);
    return false;
  }
  return !is_access(row, facts, s) || replace_fs(row, s, out);
}

}  // namespace xas::x86
