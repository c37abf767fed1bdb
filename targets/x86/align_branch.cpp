// SPDX-License-Identifier: Apache-2.0
// -malign-branch and its kin: which instructions they concern, and how many prefixes each can take. The padding itself
// is asm/program/branch_padding.h's.
//
// The two assemblers name the same kinds of branches, and differ in the small: GNU as takes `add %eax, (%rbx)` for
// something that is fused with a conditional jump, and loop for no jump; llvm-mc the other way around.

#include <algorithm>
#include <bit>
#include <charconv>

#include "targets/x86/tables.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

namespace {

constexpr std::pair<std::string_view, BranchKind> kind_names[] = {
    {"jcc", branch_jcc},   {"fused", branch_fused},       {"jmp", branch_jmp},
    {"call", branch_call}, {"indirect", branch_indirect}, {"ret", branch_ret}};

constexpr u8 usual_kinds = branch_jcc | branch_fused | branch_jmp;
constexpr u8 usual_prefixes = 5;

bool parse_number(std::string_view text, unsigned long& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool parse_kinds(std::string_view text, u8& kinds) {
  kinds = 0;
  for (;;) {
    const std::string_view one = text.substr(0, text.find('+'));
    const auto known = std::ranges::find(kind_names, one, [](const auto& k) { return k.first; });
    if (known == std::end(kind_names)) return false;
    kinds |= known->second;
    if (one.size() == text.size()) return true;
    text.remove_prefix(one.size() + 1);
  }
}

/// With which conditional jumps the instruction is fused: Fuse.
u8 fused_conditions(const Facts& facts, const Statement& s, bool gnu) {
  if (!facts.fuses || s.memory < 0) return facts.fuses;
  if (s.ops[s.memory].regs >= AddressRegs::rip || facts.fuses == fuse_inc) return fuse_none;
  for (unsigned i = 0; i < s.count; ++i)
    if (s.ops[i].is_immediate) return fuse_none;
  const bool to_memory = facts.access(unsigned(s.memory)) & access_write;
  return to_memory && !gnu ? u8(fuse_none) : facts.fuses;
}

/// What -malign-branch calls a branch, 0 if it leaves it alone.
u8 branch_kind(Branch branch, bool gnu) {
  switch (branch) {
    case Branch::jcc: return branch_jcc;
    case Branch::jmp: return branch_jmp;
    case Branch::call: return branch_call;
    case Branch::ret: return branch_ret;
    case Branch::jmp_indirect: return branch_indirect;
    case Branch::call_indirect: return gnu ? branch_indirect : branch_call;
    default: break;
  }
  if (gnu) return 0;
  switch (branch) {
    case Branch::loop: case Branch::xbegin: return branch_jcc;
    case Branch::jmp_far: return branch_jmp;
    case Branch::jmp_far_indirect: return branch_indirect;
    case Branch::call_far: case Branch::call_far_indirect: return branch_call;
    case Branch::ret_far: case Branch::iret: return branch_ret;
    default: return 0;
  }
}

/// The instruction holds the place it goes to, in whole or as a distance.
bool is_direct(Branch branch) {
  switch (branch) {
    case Branch::jcc: case Branch::loop: case Branch::jmp: case Branch::jmp_far: case Branch::call:
    case Branch::call_far: case Branch::xbegin: return true;
    default: return false;
  }
}

/// The instruction is `name`, perhaps with a '*' and a modifier.
bool names(const Operand& o, std::string_view name) {
  const char* p = o.where;
  while (*p == '*' || *p == ' ' || *p == '[') ++p;
  for (char c : name)
    if (*p++ != c) return false;
  return *p != '_' && *p != '.' && *p != '$' && u8((*p | 0x20) - 'a') > 25 && u8(*p - '0') > 9;
}

bool is_legacy_prefix(u8 b) {
  constexpr u8 prefixes[] = {0x66, 0x67, 0xF2, 0xF3, 0xF0, 0x26, 0x2E, 0x36, 0x3E, 0x64, 0x65};
  return std::ranges::find(prefixes, b) != std::end(prefixes);
}

bool is_segment_prefix(u8 b) { return (b & 0xE7) == 0x26 || (b & 0xFE) == 0x64; }

}  // namespace

/// Takes an option by its name; false if it is not one of these, or has a value that makes no sense.
bool X86Target::set_branch_option(std::string_view name, std::string_view value) {
  AlignBranch& to = x86_options_.align_branch;
  unsigned long number = 0;
  if (name == "mbranches-within-32B-boundaries") {
    // The last word counts in GNU as; in LLVM's the more special one.
    if (options_.gnu || !to.boundary_log2) to.boundary_log2 = 5;
    if (options_.gnu || !to.said_kinds) to.kinds = usual_kinds;
    if (options_.gnu) to.max_prefixes = usual_prefixes;
    to.said_kinds = true;
    return true;
  }
  if (name == "malign-branch") return to.said_kinds = parse_kinds(value, to.kinds);
  if (name == "x86-pad-for-align") {
    to.any_align = value != "false" && value != "0";
    return true;
  }
  if (!name.starts_with("malign-branch-") || !parse_number(value, number)) return false;
  if (name == "malign-branch-prefix-size") {
    to.max_prefixes = int(std::min(number, 15ul));
    return true;
  }
  if (name != "malign-branch-boundary" || (number && !std::has_single_bit(number)) || number > 1u << 31) return false;
  to.boundary_log2 = number ? u8(std::countr_zero(number)) : 0;
  return true;
}

PaddingOptions X86Target::padding() const {
  const AlignBranch& from = x86_options_.align_branch;
  const u8 kinds = from.said_kinds || !options_.gnu ? from.kinds : usual_kinds;
  PaddingOptions p;
  p.boundary_log2 = kinds ? from.boundary_log2 : 0;
  p.max_prefixes = from.max_prefixes >= 0 ? u8(from.max_prefixes) : options_.gnu ? usual_prefixes : 0;
  p.fuses = kinds & branch_fused;
  p.any_align = from.any_align;
  if (!options_.gnu && options_.relax_all) p.max_prefixes = 0;
  return p;
}

PaddedInstruction X86Target::classify(const Row& row, const Statement& s) const {
  PaddedInstruction insn;
  const AlignBranch& from = x86_options_.align_branch;
  const u8 kinds = from.said_kinds || !options_.gnu ? from.kinds : usual_kinds;
  const Facts& facts = facts_of(row);
  const u8 kind = branch_kind(facts.branch, options_.gnu);
  insn.relaxable = row.flags & row_grows;
  // The conditions are the opcodes' low bits, in pairs.
  if (facts.branch == Branch::jcc) insn.fuses = u8(1 << (row.opcode >> 1 & 7));
  insn.branch = kinds & kind;
  const bool call_or_indirect = kind == branch_call || kind == branch_indirect;
  const std::string_view resolver = mode_ == 64 ? "__tls_get_addr" : "___tls_get_addr";
  if (options_.gnu && insn.branch && call_or_indirect && s.count && names(s.ops[0], resolver)) insn.branch = false;
  if (!kind && !is_direct(facts.branch)) {
    insn.fuses = fused_conditions(facts, s, options_.gnu);
    insn.takes_prefix = s.count != 0;
  }
  insn.has_forms = insn.relaxable || starts_short(row, s);
  if (!options_.gnu) {
    // A symbol with a modifier and nothing else.
    for (unsigned i = 0; i < s.count; ++i) {
      const Operand& o = s.ops[i];
      insn.fixed |= o.space == space_other && o.value.modifier && o.value.constant == 0 && o.value.sub == no_symbol;
    }
    insn.shadows = facts.has(trait_shadow);
    if (mode_ == 16) insn.branch = false, insn.fuses = 0;
  }
  return insn;
}

/// How many prefixes may be added to an instruction of these bytes, or to a jump that these bytes stand in front of,
/// and which: the segment prefix it has, or one that means nothing.
unsigned X86Target::prefix_room(const Row& row, const Statement& s, const u8* bytes, unsigned size, bool jump,
                                u8& prefix) const {
  const Operand* memory = s.memory >= 0 ? &s.ops[s.memory] : nullptr;
  const bool stack = memory && memory->has_base && memory->regs < AddressRegs::rip && (memory->base | 1) == 5;
  prefix = mode_ == 64 ? 0x2E : stack ? 0x36 : 0x3E;
  unsigned n = 0;
  for (; n < size && is_legacy_prefix(bytes[n]); ++n)
    if (is_segment_prefix(bytes[n])) prefix = bytes[n];
  if (row.encoding == encoding_evex) n += 4;
  else if (row.encoding == encoding_xop) n += 3;
  else if (row.encoding == encoding_vex) n += bytes[n] == 0xC5 ? 2 : 3;
  else if (n < size && mode_ == 64 && (bytes[n] & 0xF0) == 0x40) ++n;
  if (row.flags & row_grows)
    n += x86_grown[row.grow].map != 0;
  else if (row.encoding == encoding_legacy)
    n += row.map == map_none ? 0 : row.map == map_0f ? 1 : 2;
  bool linked = false;  // the linker knows the instruction by its bytes
  if (options_.gnu) {
    for (unsigned i = 0; i < s.count; ++i) {
      const Operand& o = s.ops[i];
      if (o.space != space_other) continue;
      switch (o.value.modifier) {
        case mod_tlsgd: case mod_tlsld: case mod_tlsldm: case mod_gottpoff: case mod_gotntpoff: case mod_indntpoff:
        case mod_tlsdesc: case mod_tlscall: linked = true; break;
        default: linked |= (o.is_immediate || o.is_memory) && o.regs < AddressRegs::rip && o.symbolic && is_got(o);
      }
    }
  }
  const unsigned free = jump                                     ? max_instruction_size
                        : linked || size > max_instruction_size ? 0
                                                                 : max_instruction_size - size;
  const unsigned max_prefixes = padding().max_prefixes;
  if (!options_.gnu) return std::min(free, max_prefixes > n ? max_prefixes - n : 0);
  return std::min(free, max_prefixes) > n ? std::min(free, max_prefixes) - n : 0;
}

bool X86Target::padded_instruction(const Row& row, Statement& s, Emitter& out) {
  const PaddedInstruction insn = classify(row, s);
  for (unsigned i = 0; i < s.count; ++i)
    if (s.ops[i].space == space_other) out.pin(s.ops[i].value);
  out.begin_padded(insn);
  const u8* const bytes = out.out;
  bool done = true;
  if (row.flags & row_grows)
    branch(row, s, out);
  else
    done = encode(row, s, out);
  u8 prefix = 0;
  const unsigned room = prefix_room(row, s, bytes, unsigned(out.out - bytes), insn.relaxable, prefix);
  out.end_padded(insn, prefix, room);
  return done;
}

}  // namespace xas::x86
