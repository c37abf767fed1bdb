// SPDX-License-Identifier: Apache-2.0
// What stands in front of REX, VEX or EVEX: segments, sizes of operands and addresses, repetitions, lock. And which
// addresses and prefixes of these kinds an instruction can have.
//
// The order of prefixes is the assemblers': fwait, segment, 67, 66, F2/F3, F0, REX. LLVM writes a rep in front of all
// of them and, with string instructions, the segment behind the 67. What is mandatory follows the lock.
#include <fmt/format.h>

#include "targets/x86/placement.h"
#include "targets/x86/tables.h"

namespace xas::x86 {

namespace {

constexpr u8 segment_byte[6] = {0x26, 0x2E, 0x36, 0x3E, 0x64, 0x65};

/// Branches to a place that the instruction holds. GNU as gives them no prefix that has no meaning there.
enum class DirectBranch : u8 { none, near8, near, far };

DirectBranch direct_branch(const Row& row) {
  if (row.target == target_8) return DirectBranch::near8;
  if (row.target == target_16 || row.target == target_32) return DirectBranch::near;
  const bool pointer = row.imm == imm_16_16 || row.imm == imm_32_16;
  return pointer && row.encoding == encoding_legacy ? DirectBranch::far : DirectBranch::none;
}

/// The segment in front of `s`, if it stays there: hints of short branches do.
u8 branch_segment(DirectBranch branch, const Statement& s, Emitter& out) {
  if (branch == DirectBranch::none || (branch == DirectBranch::near8 && is_branch_hint(s.segment_prefix)))
    return s.segment_prefix;
  out.warning(s.where, fmt::format("a segment has no meaning before `{}` and is left out", s.mnemonic));
  return 0;
}

/// Where LLVM's data32, which chooses among forms, has an effect on forms of one size: calls, far jumps, lgdt and kin.
bool is_widened(const Facts& facts) {
  switch (facts.branch) {
    case Branch::call:
    case Branch::call_far:
    case Branch::call_far_indirect:
    case Branch::jmp_far:
    case Branch::jmp_far_indirect: return true;
    default: return facts.has(trait_dtable);
  }
}

/// The size was not left to a data16.
bool says_16_bits(const Row& row, const Statement& s) {
  if (row.suffix == 'w' && (s.mnemonic.back() | 0x20) == 'w') return true;
  constexpr u64 words = class_bit("r16") | class_bit("ax");
  for (unsigned i = 0; i < s.count; ++i)
    if (s.ops[i].space == space_register && (x86_kinds[row.kind[i]][space_register] & s.ops[i].classes & words))
      return true;
  return false;
}

}  // namespace

/// REX and displacements that are asked for, and the encoding has not.
bool X86Target::fits_prefixes(const Row& row, const Statement& s, Emitter& out) const {
  constexpr u8 rex_w = 0x48;
  const bool has_place = is_promoted(row) && options_.gnu_since(244) && s.rex == rex_w;
  if (((s.prefixes & want_rex) || (s.rex && !has_place)) && row.encoding != encoding_legacy) {
    out.error(s.where, fmt::format("`{}` has no REX prefix", s.mnemonic));
    return false;
  }
  const bool is_branch = operand_in_role(row, role_target) != no_operand;
  return !is_branch || has_displacement(s, mode_ == 16, out);
}

/// The segment of an instruction on strings: only the source can have another than its own. `implied` is one of the
/// operands.
bool X86Target::string_segment(const Row& row, const Statement& s, const Operand& implied, u8& segment,
                               Emitter& out) const {
  segment = 0;
  const unsigned in_es = facts_of(row).es_operand;
  for (unsigned i = 0; i < s.count; ++i) {
    const Operand& o = s.ops[i];
    if (o.is_memory && o.has_base && implied.has_base && o.regs != implied.regs) {
      out.error(o.where, fmt::format("both addresses of `{}` have the same size", s.mnemonic));
      return false;
    }
    if (!o.is_memory || !o.segment || (o.segment == 1 && i == in_es)) continue;
    if (i == in_es) {
      out.error(o.where, fmt::format("this operand of `{}` is in %es, whatever is written", s.mnemonic));
      return false;
    }
    segment = o.segment == 4 && (options_.gnu || (row.flags & (row_rep | row_repne))) ? 0 : o.segment;
  }
  return true;
}

/// How wide the address is, and whether that takes a prefix. False if there is an error. `addressed` is the operand in
/// memory, implied or not.
bool X86Target::size_address(const Row& row, const Statement& s, const Operand* addressed, Placement& f,
                             bool& address_prefix, Emitter& out) const {
  f.address_bits = addressed ? address_bits_of(addressed->regs, mode_) : mode_;
  address_prefix = f.address_bits != mode_ || (s.prefixes & prefix_addr);
  if (row.address_size) {
    const unsigned bits = 8u << row.address_size;
    address_prefix = mode_ != bits || (s.prefixes & prefix_addr);
    if (addressed && addressed->regs == AddressRegs::none) f.address_bits = bits;
    if (f.memory && f.address_bits != bits) {
      out.error(f.memory->where,
                fmt::format("the address must be as wide as the register operand of `{}`", s.mnemonic));
      return false;
    }
  }
  if (facts_of(row).has(trait_flataddr) && f.memory && f.address_bits != (mode_ == 64 ? 64u : 32u)) {
    if (f.memory->regs != AddressRegs::none) {
      out.error(f.memory->where, fmt::format("`{}` takes no {}-bit address here", s.mnemonic, f.address_bits));
      return false;
    }
    f.address_bits = 32;
    address_prefix = true;
  }
  if (!fits_prefixes(row, s, out)) return false;
  if ((s.prefixes & prefix_addr) && mode_ == 64 && f.memory && f.memory->regs == AddressRegs::none) f.address_bits = 32;
  if ((s.prefixes & prefix_addr) && mode_ == 32 && f.address_bits == 32 && f.memory &&
      f.memory->regs == AddressRegs::none)
    f.address_bits = 16;
  if (f.memory && !has_displacement(s, f.address_bits == 16, out)) return false;
  if ((s.prefixes & (prefix_addr | want_disp32)) && mode_ == 16 && f.address_bits == 16 && addressed &&
      addressed->regs == AddressRegs::none) {
    f.address_bits = 32;
    address_prefix = true;
  }
  return true;
}

/// All in front of REX for instructions that have more there than 66h and a mandatory prefix. Null if there is an
/// error.
u8* X86Target::put_unusual_prefixes(u8* o, const Row& row, const Statement& s, Placement& f, Emitter& out) {
  const Facts& facts = facts_of(row);
  const Operand* implied = implied_address(row, s, f);
  const Operand* addressed = f.memory ? f.memory : implied;
  bool address_prefix = false;
  if (!size_address(row, s, addressed, f, address_prefix, out)) return nullptr;
  const DirectBranch branch = options_.gnu ? direct_branch(row) : DirectBranch::none;
  if (branch == DirectBranch::near || branch == DirectBranch::far) address_prefix = false;
  if (!options_.gnu && facts.has(trait_unread)) address_prefix = false;
  // .code16gcc in LLVM: what addresses memory without saying so uses 32-bit registers as well.
  if (gcc16_ && !options_.gnu && (row.flags & (row_rep | row_repne)) && s.count == 0) address_prefix = true;
  u8 segment = addressed ? addressed->segment : f.target ? f.target->segment : 0;
  if (options_.gnu && segment && addressed) {
    // GNU as leaves out a prefix that only repeats the default segment.
    bool stack =
        addressed->has_base && (addressed->base == 4 || addressed->base == 5) && addressed->regs != AddressRegs::rip;
    if (segment == (stack ? 3 : 4)) segment = 0;
  }
  if (options_.gnu && f.target && !addressed && segment == 4) segment = 0;
  if (implied && !string_segment(row, s, *implied, segment, out)) return nullptr;
  if (!options_.gnu && facts.has(trait_unread)) segment = 0;
  if (s.segment_prefix && segment && options_.gnu && s.segment_prefix != segment) {
    out.error(s.where, "the prefix and the operand name two segments");
    return nullptr;
  }
  if (s.segment_prefix) segment = branch_segment(branch, s, out);

  const bool string = row.flags & (row_rep | row_repne);
  const bool repne = s.prefixes & (prefix_repne | prefix_xacquire | prefix_bnd);
  const u8 repeat = s.prefixes & (prefix_rep | prefix_xrelease) ? 0xF3 : repne ? 0xF2 : 0;
  if (row.flags & row_fwait) *o++ = 0x9B;
  if ((s.prefixes & prefix_notrack) && options_.gnu) *o++ = 0x3E;
  // Where the row has another, or no place for any, GNU as takes none: LLVM's order.
  const bool other = row.encoding != encoding_legacy || (row.pp >= pp_f3 && (row.pp == pp_f3) != (repeat == 0xF3));
  const bool early = repeat && !facts.has(trait_ownrep) && (!options_.gnu || other);
  // What is no instruction on strings has its segment in front even of that.
  const bool late = segment && !string && addressed && (s.prefixes & (prefix_rep | prefix_repne));
  if (early && late) *o++ = segment_byte[segment - 1], segment = 0;
  if (early) *o++ = repeat;
  if (!options_.gnu && repeat == 0xF3 && repne) *o++ = 0xF2;
  if (options_.gnu && (s.prefixes & prefix_data) && row.encoding != encoding_legacy && !is_promoted(row)) *o++ = 0x66;
  if (address_prefix && !options_.gnu && string) *o++ = 0x67;
  const bool hint = branch == DirectBranch::near8;
  if (segment && !hint) *o++ = segment_byte[segment - 1];
  if (address_prefix && (options_.gnu || !string)) *o++ = 0x67;
  if (segment && hint) *o++ = segment_byte[segment - 1];
  if (row.encoding == encoding_legacy) {
    const bool data = (s.prefixes & prefix_data) && (options_.gnu ? !hint : is_widened(facts));
    bool data_prefix = (row.operand_size == size_16 && mode_ != 16) || (row.operand_size == size_32 && mode_ == 16);
    if (options_.gnu && data && ((data_prefix && says_16_bits(row, s)) || row.pp == pp_66)) {
      out.error(s.where, fmt::format("`{}` has this prefix already", s.mnemonic));
      return nullptr;
    }
    if (data_prefix || data) *o++ = 0x66;
    if ((s.prefixes & prefix_notrack) && !options_.gnu) *o++ = 0x3E;
    if (repeat && options_.gnu && row.pp < pp_f3) *o++ = repeat;
    if (s.prefixes & prefix_lock) *o++ = 0xF0;
    if (row.pp == pp_66 && !data_prefix && !data) *o++ = 0x66;
    if (row.pp >= pp_f3) *o++ = row.pp == pp_f3 ? 0xF3 : 0xF2;
  }
  return o;
}

}  // namespace xas::x86
