// SPDX-License-Identifier: Apache-2.0
// Instructions in Intel syntax, once their operands have been read: operands are put into AT&T's order, in which the
// tables have them, and some mnemonics into what AT&T calls them. All else is as in AT&T syntax.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "targets/text.h"
#include "targets/x86/address.h"
#include "targets/x86/intel_words.h"
#include "targets/x86/tables.h"

namespace xas::x86 {

using text::is_digit, text::is_letter;

/// The operands in AT&T's order, which is that of the rows.
static void reverse_operands(Statement& s) {
  for (unsigned i = 0; i < s.count / 2; ++i) std::swap(s.ops[i], s.ops[s.count - 1 - i]);
  if (s.memory >= 0) s.memory = int(s.count) - 1 - s.memory;
  for (unsigned i = 0; i < s.count; ++i)
    if (s.ops[i].is_memory) s.memory = int(i);
  if (s.deco & (deco_mask | deco_zero)) s.mask_operand = u8(s.count - 1 - s.mask_operand);
  s.before_rounding = u8(s.count - s.before_rounding);
}

/// `call fword ptr [eax]`, `jmp far ptr x`, `jmp 3:5`: AT&T's lcall and ljmp, whose suffix is the offset's size.
const Spelling* X86Target::far_spelling(const Statement& s, const IntelFacts& facts) const {
  const IntelWord name(s.mnemonic.data(), s.mnemonic.size());
  const bool call = name.view() == "call", sized = name.view() == "callw" || name.view() == "jmpw";
  if (!call && name.view() != "jmp" && !(sized && facts.far_pointer)) return nullptr;
  char size = mode_ == 16 || sized ? 'w' : 'l';
  if (!facts.far_pointer) {
    const bool dword_is_far = mode_ != 32 && facts.memory_bytes == 4 && (options_.gnu || mode_ == 64);
    const bool tbyte_is_far = facts.memory_bytes == 10 && (!options_.gnu || (x86_options_.intel64 && mode_ == 64));
    if (!facts.far && facts.memory_bytes != 6 && !tbyte_is_far && !dword_is_far) return nullptr;
    if (facts.memory_bytes && options_.gnu)
      size = facts.memory_bytes == 4 ? 'w' : facts.memory_bytes == 10 && x86_options_.intel64 ? 'q' : 'l';
    else if (facts.memory_bytes)
      size = 'l';
  }
  std::string far = name.view()[0] == 'c' ? "lcall" : "ljmp";
  far += size;
  return find_spelling(far, hash_name(far));
}

/// lcall and ljmp of memory. GNU as takes it without a size only, LLVM does not look at it.
const Spelling* X86Target::far_default(const Statement& s, const IntelFacts& facts, const Spelling* spelling) const {
  const IntelWord written(s.mnemonic.data(), s.mnemonic.size());
  const bool call = written.view() == "lcall";
  if ((!call && written.view() != "ljmp") || mode_ == 16) return spelling;
  if (!options_.gnu && !call && mode_ == 64) return find_spelling("ljmpq", hash_name("ljmpq"));
  const bool words = options_.gnu && facts.memory_bytes == 4;
  const std::string_view name = call ? (words ? "lcallw" : "lcalll") : (words ? "ljmpw" : "ljmpl");
  return find_spelling(name, hash_name(name));
}

/// Of far pointers and jmpabs: a bare symbol is no memory there.
static void symbols_as_numbers(Statement& s) {
  bool has_memory = false;
  for (unsigned i = 0; i < s.count; ++i) {
    Operand& o = s.ops[i];
    has_memory |= o.is_memory && !(o.classes & class_bit("rel"));
    if (!o.is_memory || !(o.classes & class_bit("rel"))) continue;
    o.is_memory = false;
    o.is_immediate = true;
    o.classes = class_bit("sym");
  }
  if (!has_memory) s.memory = -1;
}

/// Of lcall and ljmp: the number is where the far pointer stands.
static void address_as_memory(Statement& s) {
  Operand& o = s.ops[0];
  o.is_immediate = false;
  o.is_memory = o.has_displacement = true;
  o.classes = memory_classes;
  s.memory = 0;
}

static bool takes_memory(const Row& row) {
  for (unsigned i = 0; i < row.count; ++i)
    if (x86_kinds[row.kind[i]][space_other] & memory_classes) return true;
  return false;
}

/// The operands in the order of the rows, and the spelling of far branches.
const Spelling* X86Target::arrange_intel(const Spelling* spelling, Statement& s, IntelFacts facts) const {
  const IntelWord name(s.mnemonic.data(), s.mnemonic.size());
  if (s.count == 2 && (name.view() == "call" || name.view() == "jmp")) {  // call 3, x is call 3:x
    symbols_as_numbers(s);
    facts.far_pointer = s.memory < 0;
  }
  if (name.view() == "jmpabs") symbols_as_numbers(s);
  if (const Spelling* far = far_spelling(s, facts)) {
    if (s.memory >= 0) {
      s.ops[0].classes = memory_classes;
      s.star = true;
    }
    return far;
  }
  bool indirect = false, direct = false, straight = false, reversed = false;
  for (unsigned i = 0; i < spelling->count; ++i) {
    const Row& row = x86_rows[x86_lists[spelling->first + i]];
    indirect |= (row.flags & row_indirect) != 0;
    direct |= !(row.flags & row_indirect) && row.count == 1;
    if (row.count != s.count) continue;
    if (row.flags & row_straight) straight = true;
    else reversed |= s.memory >= 0 && takes_memory(row);
  }
  // lcall and ljmp of two numbers or symbols: the segment is the first.
  if (indirect && s.count == 2) symbols_as_numbers(s);
  const bool pointer = indirect && s.count == 2 && s.memory < 0;
  s.star = indirect && !pointer && !(direct && facts.bare && s.count == 1);
  if (s.star && s.count == 1 && s.ops[0].is_immediate) address_as_memory(s);
  if ((!straight || reversed) && !pointer) reverse_operands(s);
  return indirect && s.memory >= 0 ? far_default(s, facts, spelling) : spelling;
}

/// Behind an error: registers without % are symbols, where that is not what they are written for.
static void note_naked_registers(const char* p, Emitter& out) {
  for (char before = ' '; *p != '\0' && *p != '\n' && *p != ';' && *p != '#'; before = *p++) {
    if (!is_letter(*p)) continue;
    u64 word = 0;
    unsigned n = 0;
    for (; is_letter(p[n]) || is_digit(p[n]); ++n)
      if (n < 8) word |= u64(u8(p[n] | (is_letter(p[n]) ? 0x20 : 0))) << (8 * n);
    if (before != '%' && n <= 8 && find_register(word) >= 0)
      return out.note(p,
                      fmt::format("'{0}' is a symbol here; the register is %{0}, or {0} with the option -mnaked-reg or "
                                  "behind '.intel_syntax noprefix'",
                                  std::string_view(p, n)));
    p += n - 1;
  }
}

/// GNU as: where movd or shld do not take these operands, mov and shl do, with AT&T's suffix. Null if they do.
const Spelling* X86Target::with_suffix(const Spelling& spelling, const Statement& s) const {
  struct Twofold {
    std::string_view name, suffixed;
    u32 since;
  };
  constexpr Twofold twofold[] = {
      {"movd", "movl", 240}, {"movq", "movq", 240}, {"shld", "shll", 244}, {"shrd", "shrl", 244}};
  const IntelWord name(s.mnemonic.data(), s.mnemonic.size());
  const auto* const found = std::ranges::find(twofold, name.view(), &Twofold::name);
  if (found == std::end(twofold) || !options_.gnu_since(found->since)) return nullptr;
  const auto takes = [&](const Spelling& it) {
    for (unsigned i = 0; i < it.count; ++i)
      if (accepts_all(x86_rows[x86_lists[it.first + i]], s)) return true;
    return false;
  };
  const Spelling* const other = find_spelling(found->suffixed, hash_name(found->suffixed));
  return !takes(spelling) && takes(*other) ? other : nullptr;
}

bool X86Target::intel_instruction(const Name& mnemonic, const char*& p, Emitter& out) {
  Statement s;
  s.where = mnemonic.p;
  s.mnemonic = mnemonic.text();
  bool done = false;
  const Spelling* spelling = slow_spelling(mnemonic, p, s, out, done);
  if (!spelling) return done;
  if (*p == ',') branch_hint(p, s);
  IntelFacts facts;
  const char* const operands = p;
  const Spelling* const unarranged = spelling;
  naked_egprs_ = options_.gnu && mode_ == 64 && names_egprs(p);
  std::optional<Statement> unread;  // of what can be read in two ways
  if (naked_egprs_ && !options_.gnu_since(244)) [[unlikely]]
    unread = s;
  const bool read = parse_intel_operands(p, s, facts, out);
  naked_egprs_ = false;
  if (!read) {
    if (!naked_registers_) note_naked_registers(operands, out);
    return true;
  }
  spelling = arrange_intel(spelling, s, facts);
  if (unread && takes_egprs_as_symbols(*spelling, s, facts)) [[unlikely]] {
    p = operands;
    s = *unread;
    facts = {};
    if (!parse_intel_operands(p, s, facts, out)) return true;
    spelling = arrange_intel(unarranged, s, facts);
  }
  constexpr std::size_t movd_size = 4;
  if (options_.gnu && s.mnemonic.size() == movd_size)
    if (const Spelling* const other = with_suffix(*spelling, s)) spelling = other;
  if (!finish_intel(*spelling, s, facts, out) && !naked_registers_) note_naked_registers(operands, out);
  return true;
}

/// The operands have been arranged. False: no form takes them.
bool X86Target::finish_intel(const Spelling& spelling, Statement& s, const IntelFacts& facts, Emitter& out) {
  const Row* row = match_intel(spelling, s, facts.sized, facts.memory_bytes, out);
  // GNU as: `lgdt fword ptr [bx]` in 16-bit code reads all 32 bits of the address, as lgdtd does.
  const bool fword = options_.gnu && mode_ == 16 && facts.memory_bytes == 6;
  if (fword && row && facts_of(*row).has(trait_dtable)) s.prefixes |= prefix_data;
  if (!row) return false;
  if (facts.exchanged && row->op == op_norip) [[unlikely]]
    return out.error(s.ops[s.memory].where, fmt::format("the first register of this address is the base of `{}`, and "
                                                        "the second one can't be its index",
                                                        s.mnemonic)),
           true;
  if (facts.distance) [[unlikely]] {
    const Branch branch = facts_of(*row).branch;
    if (branch == Branch::none || branch == Branch::ret || branch == Branch::ret_far)
      return out.error(facts.distance,
                       fmt::format("SHORT, NEAR and FAR belong to jumps and calls, not to `{}`", s.mnemonic)),
             true;
  }
  finish_instruction(*row, s, out);
  return true;
}

}  // namespace xas::x86
