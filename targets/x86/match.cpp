// SPDX-License-Identifier: Apache-2.0
// Which row of a mnemonic's list an instruction is.
//
// AT&T syntax names the operand size by a suffix, by a register, or not at all: `add $1, (%rax)` could be any of four
// instructions. GNU as takes the 32-bit one with a warning, LLVM refuses; xas does as GNU as.
#include <fmt/format.h>

#include <algorithm>

#include "targets/x86/explain.h"
#include "targets/x86/tables.h"

namespace xas::x86 {

namespace {

/// What pseudo prefixes can ask of the choice of a row.
constexpr u32 encoding_requests = want_vex | want_vex2 | want_vex3 | want_evex | want_load | want_store | want_swap |
                                  want_rex2 | want_nf | uses_egpr | want_noimm8s | prefix_xrelease;

/// An operand that says how wide the instruction is: a register in a field that is not implied.
bool has_sizing_register(const Row& row, const Statement& s) {
  constexpr u64 sizing = class_bit("r8") | class_bit("r16") | class_bit("r32") | class_bit("r64") | class_bit("xmm") |
                         class_bit("r8h") | class_bit("r16h") | class_bit("r32h") | class_bit("r64h") |
                         class_bit("ymm") | class_bit("zmm") | class_bit("xmmh") | class_bit("ymmh");
  const unsigned count = facts_of(row).has(trait_sizesrc) ? 1 : row.count;
  for (unsigned i = 0; i < count; ++i) {
    const Operand& o = s.ops[i];
    if (o.space == space_register && (x86_kinds[row.kind[i]][space_register] & sizing & o.classes)) return true;
  }
  return false;
}

/// In 64-bit code a push of a number has 64 bits if nothing says otherwise, so the number must be one of them.
bool is_short_push(const Row& row, const Statement& s) {
  return row.suffix == 'w' && facts_of(row).has(trait_pushimm) && (s.mnemonic.back() | 0x20) != 'w' &&
         !(s.prefixes & prefix_data);
}

bool has_memory(const Statement& s) { return s.memory >= 0; }

/// What LLVM takes for 32-bit operations in 16-bit code: bt and its like, and in Intel syntax calls and returns.
bool widens_in_llvm(const Row& row, const Statement& s, bool intel) {
  const Facts& facts = facts_of(row);
  if (facts.has(trait_llvm32)) return !intel;
  const bool returns = facts.branch == Branch::ret || facts.branch == Branch::ret_far;
  return intel && (s.mnemonic[0] | 0x20) != 'l' && (returns || facts.branch == Branch::call);
}

}  // namespace

bool X86Target::available(const Row& row) const {
  const FeatureSet& need = x86_feature_sets[row.features];
  for (unsigned i = 0; i < feature_words; ++i)
    if (need.word[i] & ~features_.word[i]) return false;
  return true;
}

/// The form can have %r16 to %r31 in its address, or a REX2 prefix, which some rows of the opcode maps do not take.
static bool reaches_egprs(const Row& row) {
  if (row.encoding == encoding_evex) return true;
  if (row.encoding != encoding_legacy || row.map > map_0f || facts_of(row).has(trait_norex2)) return false;
  constexpr u32 without[] = {1u << 0x4 | 1u << 0x7 | 1u << 0xA | 1u << 0xE, 1u << 0x3 | 1u << 0x8};
  return row.op == op_rex2 || !(without[row.map] >> (row.opcode >> 4) & 1);
}

/// A form without ModRM of what has one too: of the accumulator, or with the register in the opcode.
static bool is_short_form(const Row& row) {
  if (row.encoding != encoding_legacy || row.map != map_none || row.count == 0 || row.imm == imm_64) return false;
  const u8 op = row.opcode, line = op >> 4;
  const bool accumulator = (op < 0x40 && (op & 6) == 4) || (op & ~1) == 0xA8;
  return accumulator || line == 4 || line == 5 || line == 0xB || (op & ~7) == 0x90;
}

/// What APX has of add and its kin with two operands, where the one in ModRM is the destination.
static bool is_promoted_store(const Row& row) {
  return is_promoted(row) && !(row.flags & row_nd) && row.opcode < 0x40 && (row.opcode & 7) < 2;
}

/// It has an immediate of eight bits that is sign-extended.
static bool has_extended_byte(const Row& row) {
  constexpr u64 extended = class_bit("s8_16") | class_bit("s8_32") | class_bit("s8_64");
  for (unsigned i = 0; i < row.count; ++i)
    if (x86_kinds[row.kind[i]][space_other] & extended) return true;
  return false;
}

/// What does not depend on the operands' classes: masks and rounding, `*`, and what pseudo prefixes ask.
bool X86Target::accepts_context(const Row& row, const Statement& s) const {
  if (s.deco | (row.deco & deco_mask_required)) {
    u8 taken = row.deco;
    if (has_narrow_rounding() || (row.op == op_llvm_narrow && !options_.gnu))
      taken |= u8((taken & deco_narrow_er ? deco_er : 0) | (taken & deco_narrow_sae ? deco_sae : 0));
    if (s.deco & ~taken & (deco_mask | deco_zero | deco_er | deco_sae)) return false;
    if ((row.deco & deco_mask_required) && !(s.deco & deco_mask)) return false;
    if ((s.deco & deco_er) == 0 && (s.deco & deco_sae) && (taken & deco_er)) return false;
    if ((s.deco & (deco_er | deco_sae)) && has_memory(s)) return false;
  }
  if (row.flags & row_indirect) {
    // A bare expression without * is a direct target; with registers only an indirect one can be meant.
    const Operand& o = s.ops[0];
    if (!s.star && o.is_memory && (o.classes & class_bit("rel"))) return false;
  } else if (s.star) {
    return false;
  }
  if ((row.flags & row_load) && store_row_is_shorter(row, s)) return false;
  if (row.op == op_newer && !options_.gnu_since(244)) return false;
  if (row.op == op_named && options_.llvm_since(23)) return false;
  // Between registers, APX instructions of GNU as are loads.
  const bool apx_store = (row.flags & (row_store | row_nd)) == row_store && is_promoted(row);
  const bool loads = options_.gnu_since(244) && !(s.prefixes & (want_store | want_swap));
  if (apx_store && loads && !has_memory(s)) return false;
  if ((s.deco & deco_dfv) && row.op != op_ccmp) return false;
  if (s.prefixes & encoding_requests) {
    const bool newer = options_.gnu_since(244);
    if ((s.prefixes & prefix_xrelease) && row.target == target_moffs && options_.gnu) return false;  // has no HLE form
    if ((s.prefixes & want_nf) && !(row.flags & row_nf)) return false;
    if ((s.prefixes & want_noimm8s) && has_extended_byte(row)) return false;
    if ((s.prefixes & (uses_egpr | want_rex2)) && !reaches_egprs(row)) return false;
    if ((s.prefixes & want_rex2) && row.encoding != encoding_legacy) return false;
    if ((row.flags & row_alt) && row.encoding == encoding_evex && !(s.prefixes & (want_evex | want_nf | uses_egpr)))
      return false;
    if ((s.prefixes & want_evex) && row.encoding != encoding_evex) return false;
    constexpr u32 any_vex = want_vex | want_vex2 | want_vex3;
    if ((s.prefixes & any_vex) && row.encoding != encoding_vex && row.encoding != encoding_xop) return false;
    if ((row.flags & row_alt) && row.encoding == encoding_vex && !(s.prefixes & any_vex)) return false;
    if ((s.prefixes & want_load) && ((row.flags & row_store) || (newer && is_promoted_store(row))) && !has_memory(s))
      return false;
    if ((s.prefixes & want_store) && (row.flags & row_load) && !has_memory(s)) return false;
    // From GNU as 2.44 on mov between the accumulator and an address is not the form that is asked for.
    const u32 direction = row.opcode & 2 ? want_store : want_load;
    if (newer && row.target == target_moffs && mode_ != 64 && (s.prefixes & direction)) return false;
    if (newer && (s.prefixes & (want_load | want_store)) && is_short_form(row)) {
      // Nor is one without ModRM, if what has that reads, or writes, its operand.
      const Access access = Access(facts_of(row).access(row.count - 1u));
      if (access & (s.prefixes & want_load ? access_read : access_write)) return false;
    }
    // `.s` asks for the form that is not the usual one: between general registers that is the load form.
    if ((s.prefixes & want_swap) && (row.flags & (row.map == map_none ? row_store : row_load)) && !has_memory(s))
      return false;
  } else if ((row.flags & row_alt) && !(row.encoding == encoding_vex && was_said(row))) {
    return false;
  }
  return !gated_ || available(row);
}

/// A feature of the row was asked for by its name, or that of a processor: GNU as prefers its VEX instructions from
/// 2.44 on.
bool X86Target::was_said(const Row& row) const {
  const FeatureSet& needs = x86_feature_sets[row.features];
  u64 common = 0;
  for (unsigned w = 0; w < feature_words; ++w) common |= needs.word[w] & said_.word[w];
  return (common || (gated_ && available(row))) && options_.gnu_since(244);
}

inline bool X86Target::accepts(const Row& row, const Statement& s) const {
  if (row.count != s.count || (row.flags & row_needs_) != row_needs_) return false;
  for (unsigned i = 0; i < s.count; ++i)
    if (!operand_fits(row, s, i)) return false;
  const bool careful = (row.flags & row_careful) | s.deco | s.star | (s.prefixes & encoding_requests) | gated_;
  return !careful || accepts_context(row, s);
}

bool X86Target::accepts_all(const Row& row, const Statement& s) const { return accepts(row, s); }

/// lcall and lret, which work on the stack.
static bool is_far_call_or_return(Branch b) {
  return b == Branch::call_far || b == Branch::call_far_indirect || b == Branch::ret_far;
}

/// `row` fits, but the mnemonic had no suffix and no register tells the size: chooses among it and the rows behind it
/// the one of the mode's default size.
const Row* X86Target::resolve_size(const Spelling& spelling, const Row* row, unsigned next, Statement& s,
                                   Emitter& out) {
  char wanted = mode_ == 16 ? 'w' : 'l';
  if (row->flags & row_d64) wanted = mode_ == 64 ? 'q' : mode_ == 16 && !gcc16_ ? 'w' : 'l';
  // .code16gcc widens what works on the stack; a jump does not.
  const Facts& facts = facts_of(*row);
  const bool jump = (row->flags & row_grows) || facts.branch == Branch::jmp_indirect;
  if (mode_ == 16 && jump) wanted = 'w';
  if (mode_ == 16 && !options_.gnu && widens_in_llvm(*row, s, intel_)) wanted = 'l';
  // LLVM asks for what 32-bit code would be; a jump, enter and leave are the same there.
  const bool frame = facts.has(trait_frame);
  const bool same = jump || frame;
  if (gcc16_ && !options_.gnu && !(row->flags & row_grows)) wanted = frame ? 'w' : 'l';
  if (gcc16_ && options_.gnu && is_far_call_or_return(facts.branch)) wanted = 'l';
  if ((options_.gnu || (mode_ == 16 && !same)) && (s.prefixes & prefix_data) && !is_intel64_branch(*row))
    wanted = mode_ == 16 ? 'l' : 'w';
  constexpr u8 rex_w = 8;
  const bool said_by_rex = options_.gnu && (s.rex & rex_w);
  if (said_by_rex) wanted = 'q';
  const Row* chosen = row;
  bool several = false;
  const Branch branch = facts_of(*row).branch;
  const bool is_far = branch == Branch::jmp_far_indirect || branch == Branch::call_far_indirect;
  const bool silent = row->flags & (row_d64 | row_sized) || row->count == 0 || !has_memory(s) || is_far;
  for (unsigned i = next; i < spelling.count; ++i) {
    const Row& r = x86_rows[x86_lists[spelling.first + i]];
    if (!r.suffix || r.suffix == row->suffix || !accepts(r, s) || has_sizing_register(r, s)) continue;
    several = true;
    if ((row->flags & ~r.flags) & row_sized) continue;
    if (r.suffix == wanted && chosen->suffix != wanted && !(row->flags & row_sized)) chosen = &r;
  }
  if (wanted == 'q' && chosen->suffix == 'b') {  // rex.w before something that has no such form
    for (unsigned i = next; i < spelling.count && chosen->suffix != 'l'; ++i) {
      const Row& r = x86_rows[x86_lists[spelling.first + i]];
      if (r.suffix == 'l' && accepts(r, s)) chosen = &r;
    }
  }
  // A number as large as the size that was only guessed is not taken for a negative one: add $0xffffffff, (%rax).
  if (chosen->imm == imm_8 && has_memory(s) && mode_ != 16 && s.ops[0].value.constant > 127)
    for (unsigned i = next; i < spelling.count; ++i) {
      const Row& r = x86_rows[x86_lists[spelling.first + i]];
      const bool is_longer = facts_of(r).has(trait_shortimm) && (r.opcode | short_opcode_bit) == chosen->opcode;
      if (is_longer && r.suffix == chosen->suffix && accepts(r, s)) {
        chosen = &r;
        break;
      }
    }
  s.sized_by_rex = said_by_rex && chosen->suffix == 'q';
  // What only APX has is LLVM's to GNU as 2.40, and LLVM does not guess.
  const bool guesses = options_.gnu_since(244);
  if (several && !guesses && has_memory(s) && row->encoding == encoding_evex && row->map == map_4)
    out.error(s.where, fmt::format("`{}` does not say its operand size, and no register does", s.mnemonic));
  else if (several && !silent)
    out.warning(s.where, fmt::format("`{}` does not say its operand size, and no register does; `{}{}` is assumed",
                                     s.mnemonic, s.mnemonic, chosen->suffix));
  return chosen;
}

/// The same; the immediate is shortened to 16 bits where these are the size.
const Row* X86Target::guess_size(const Spelling& spelling, const Row* row, unsigned next, Statement& s, Emitter& out) {
  const Row* chosen = resolve_size(spelling, row, next, s, out);
  if (chosen->suffix != 'l' || chosen->imm == imm_16) [[likely]] return chosen;
  const bool data = s.prefixes & prefix_data;
  const bool data16 = (data && options_.gnu && mode_ != 16) || (!data && mode_ == 16 && !(chosen->flags & row_d64));
  const bool push16 =
      !data && (chosen->flags & row_d64) && mode_ == 16 && !gcc16_ && s.count == 1 && s.ops[0].is_immediate;
  if (!data16 && !push16) return chosen;
  const Row* shortened = match_shortened(spelling, s, 'w', false, out);
  return shortened ? shortened : chosen;
}

/// The same where the suffix tells a vector's length (vcvtpd2psx): there is no default.
const Row* X86Target::resolve_length(const Spelling& spelling, const Row* row, unsigned next, const Statement& s,
                                     Emitter& out) {
  if (!has_memory(s) || s.ops[s.memory].broadcast) return row;
  for (unsigned i = next; i < spelling.count; ++i) {
    const Row& r = x86_rows[x86_lists[spelling.first + i]];
    if (!r.suffix || r.suffix == row->suffix || !accepts(r, s)) continue;
    out.error(s.where, fmt::format("`{0}` does not say how long its source in memory is; write `{0}{1}` or `{0}{2}`",
                                   s.mnemonic, row->suffix, r.suffix));
    return nullptr;
  }
  return row;
}

/// Where -march leaves out the EVEX instruction, GNU as takes its VEX twin (AVX-VNNI) without {vex}. Null if there is
/// none.
const Row* X86Target::match_vex_twin(const Spelling& spelling, Statement& s) const {
  if (!gated_ || (s.prefixes & encoding_requests)) return nullptr;
  s.prefixes |= want_vex;
  for (unsigned i = 0; i < spelling.count; ++i) {
    const Row& row = x86_rows[x86_lists[spelling.first + i]];
    if ((row.flags & row_alt) && accepts(row, s)) return &row;
  }
  s.prefixes &= ~u32(want_vex);
  return nullptr;
}

const Row* X86Target::match(const Spelling& spelling, Statement& s, Emitter& out) {
  if (s.deco && !check_mask(s, out)) return nullptr;
  const u16* list = x86_lists + spelling.first;
  for (unsigned i = 0; i < spelling.count; ++i) {
    const Row& row = x86_rows[list[i]];
    if (!accepts(row, s)) continue;
    if (!row.suffix || spelling.suffix) [[likely]]
      return &row;
    if (row.suffix >= 'x') return resolve_length(spelling, &row, i + 1, s, out);
    if (has_sizing_register(row, s)) return &row;
    if (mode_ == 64 && is_short_push(row, s)) continue;
    return guess_size(spelling, &row, i + 1, s, out);
  }
  if (const Row* row = match_vex_twin(spelling, s)) return row;
  if (const Row* row = match_avx(spelling, s)) return row;
  if (const Row* row = match_shortened(spelling, s, 0, false, out)) return row;
  Explainer(*this).explain(spelling, s, out);
  return nullptr;
}

/// The immediate has 16 bits whatever the operation's size is: `ret`, `enter`.
static bool has_16_bits_anyway(const Spelling& spelling, const Row& row) {
  if (row.imm != imm_16 && row.imm != imm_16_8) return false;
  const u16* const list = x86_lists + spelling.first;
  return std::any_of(list, list + spelling.count, [&](u16 number) {
    const Row& r = x86_rows[number];
    return r.suffix && r.suffix != row.suffix && r.imm == row.imm;
  });
}

/// An immediate that is too large for the operation's size is cut to it, with a warning, as the reference assemblers
/// do: movb $256, %al. Null if that does not help. `only`: the size it has to have, whatever says so; `sized`: PTR
/// tells.
const Row* X86Target::match_shortened(const Spelling& spelling, Statement& s, char only, bool sized, Emitter& out) {
  Operand* immediate = nullptr;
  for (unsigned i = 0; i < s.count; ++i)
    if (s.ops[i].is_immediate && !s.ops[i].symbolic) immediate = immediate ? immediate : &s.ops[i];
  if (!immediate) return nullptr;
  const i64 given = immediate->value.constant;
  struct Width {
    char suffix;
    unsigned bits;
    u64 cls;  // the full one: a shorter immediate is not looked for
  };
  constexpr Width widths[] = {{'b', 8, class_bit("i8")}, {'w', 16, class_bit("i16")}, {'l', 32, class_bit("i32")}};
  for (const auto& [suffix, bits, cls] : widths) {
    const i64 cut = i64(u64(given) << (64 - bits)) >> (64 - bits);
    if (cut == given || (only && suffix != only)) continue;
    immediate->value.constant = cut;
    immediate->classes = class_bit("imm") | cls;
    const u16* list = x86_lists + spelling.first;
    for (unsigned i = 0; i < spelling.count; ++i) {
      const Row& row = x86_rows[list[i]];
      if (row.suffix != suffix || !accepts(row, s) || row.imm == imm_16_16) continue;
      if (!only && !spelling.suffix && !sized && s.memory >= 0 && !has_sizing_register(row, s)) continue;
      if (!only && !spelling.suffix && mode_ == 64 && is_short_push(row, s)) continue;
      if (!only && !spelling.suffix && has_16_bits_anyway(spelling, row)) continue;
      const u64 mask = (u64(1) << bits) - 1;
      out.warning(immediate->where, fmt::format("{:#x} does not fit in {} bits; it is shortened to {:#x}", u64(given),
                                                bits, u64(cut) & mask));
      return &row;
    }
  }
  immediate->value.constant = given;
  classify_immediate(*immediate);
  return nullptr;
}

/// PTR of a gather tells the size of an element, which is that of its W bit.
static bool gather_size_fits(const Row& row, const Statement& s, u8 bytes) {
  return bytes == (row.w ? 8 : 4) || s.ops[s.memory].broadcast;
}

static unsigned bytes_of_suffix(char suffix) { return suffix == 'b' ? 1 : suffix == 'w' ? 2 : suffix == 'l' ? 4 : 8; }

/// A form of Intel syntax alone whose memory has this size if nothing says so: `movzx ax, [ebx]`.
static bool is_intel_default(const Row& row) { return (row.flags & row_sized) && !(row.flags & row_att); }

static const Row* size_error(const Statement& s, Emitter& out) {
  out.error(
      s.ops[s.memory].where,
      fmt::format("`{}` does not say the size of its memory operand; write byte ptr, word ptr, dword ptr or qword "
                  "ptr before it",
                  s.mnemonic));
  return nullptr;
}

/// Only the immediate leaves `found` alone: `and [ecx], 0x80000000`. It tells no size.
bool X86Target::hides_size(const Spelling& spelling, const Row& found, const Statement& s) const {
  if (s.memory < 0 || !s.ops[0].is_immediate || has_sizing_register(found, s)) return false;
  for (unsigned i = 0; i < spelling.count; ++i) {
    const Row& row = x86_rows[x86_lists[spelling.first + i]];
    if (row.count != s.count || (row.flags & row_needs_) != row_needs_ || row.suffix == found.suffix) continue;
    bool fits = row.encoding == found.encoding && (!gated_ || available(row));
    for (unsigned k = 1; k < s.count; ++k) fits &= operand_fits(row, s, k);
    if (fits) return true;
  }
  return false;
}

/// BCST does not say how often: of the rows from `first` on, the longest vector's.
const Row* X86Target::longest(const Spelling& spelling, unsigned first, const Statement& s) const {
  const Row* longest = nullptr;
  for (unsigned i = first; i < spelling.count; ++i) {
    const Row& row = x86_rows[x86_lists[spelling.first + i]];
    if (row.suffix >= 'x' && accepts(row, s) && (!longest || row.length > longest->length)) longest = &row;
  }
  return longest;
}

/// Intel syntax: no suffix tells the size; PTR or a register does, and where neither does (`inc [eax]`), only what
/// works on the stack has a default.
const Row* X86Target::match_intel(const Spelling& spelling, Statement& s, bool sized, u8 bytes, Emitter& out) {
  if (s.deco && !check_mask(s, out)) return nullptr;
  constexpr u64 memory = class_bit("m8") | class_bit("m16") | class_bit("m32") | class_bit("m64") | class_bit("m80") |
                         class_bit("m128") | class_bit("m256") | class_bit("m512");
  const u16* list = x86_lists + spelling.first;
  const Row* found = nullptr;
  u64 found_sizes = 0;
  char wanted = 0;
  for (unsigned i = 0; i < spelling.count; ++i) {
    const Row& row = x86_rows[list[i]];
    if (!accepts(row, s)) continue;
    if (s.memory >= 0 && sized && s.ops[s.memory].vector_index && !gather_size_fits(row, s, bytes)) continue;
    if (row.target == target_moffs && sized && bytes && bytes != bytes_of_suffix(row.suffix)) continue;
    if (s.memory < 0 || sized || s.ops[s.memory].broadcast > 1) {
      if (s.memory >= 0 && s.ops[s.memory].broadcast && bytes && bytes != 1u << row.broadcast_shift) continue;
      if (s.memory >= 0 && s.ops[s.memory].broadcast == 1 && row.suffix >= 'x') return longest(spelling, i, s);
      if (!row.suffix || row.suffix >= 'x' || (s.memory >= 0 && sized) || has_sizing_register(row, s)) return &row;
      if (mode_ == 64 && is_short_push(row, s)) continue;
      return guess_size(spelling, &row, i + 1, s, out);
    }
    const u64 sizes = x86_kinds[row.kind[s.memory]][space_other] & memory;
    if (!sizes) {  // an absolute address or a branch target: the register tells, or the mode
      if (found) return found;
      return !row.suffix || has_sizing_register(row, s) ? &row : resolve_size(spelling, &row, i + 1, s, out);
    }
    if (!found) {
      found = &row;
      found_sizes = sizes;
      if (row.flags & row_d64) wanted = mode_ == 64 ? 'q' : mode_ == 16 && !gcc16_ ? 'w' : 'l';
      continue;
    }
    if (wanted) {
      if (row.suffix == wanted && found->suffix != wanted) found = &row;
    } else if (sizes != found_sizes && found->suffix && !is_intel_default(*found)) {
      return size_error(s, out);
    }
  }
  if (!found) found = match_vex_twin(spelling, s);
  if (!found) found = match_avx(spelling, s);
  if (!found) found = match_shortened(spelling, s, 0, sized, out);
  if (!found) Explainer(*this).explain(spelling, s, out);
  else if (!wanted && !sized && found->suffix && hides_size(spelling, *found, s)) return size_error(s, out);
  return found;
}

}  // namespace xas::x86
