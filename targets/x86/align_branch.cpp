// -malign-branch and its kin: which instructions they concern, and how many prefixes each can take. The padding itself
// is asm/branch_padding.h's.
//
// The two assemblers name the same kinds of branches, and differ in the small: GNU as takes `add %eax, (%rbx)` for
// something that is fused with a conditional jump, and loop for no jump; llvm-mc the other way around.
#include <fmt/format.h>

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

/// Conditions by pairs (o, b, e, be, s, p, l, le), a bit for each.
enum Fuses : u8 {
  fuses_all = 0xFF,       ///< test, and
  fuses_cmp = 0b11001110, ///< cmp, add, sub
  fuses_inc = 0b11000100, ///< inc, dec
};

/// With which conditional jumps the instruction is fused.
u8 fused_conditions(const Row& row, const Statement& s, bool gnu) {
  if (row.encoding != encoding_legacy || row.map != map_none || row.modrm_form == modrm_fixed) return 0;
  const Operand* memory = s.memory >= 0 ? &s.ops[s.memory] : nullptr;
  if (memory && memory->regs >= AddressRegs::rip) return 0;
  bool immediate = false;
  for (unsigned i = 0; i < s.count; ++i) immediate |= s.ops[i].is_immediate;
  if (memory && immediate) return 0;
  const u8 op = row.opcode, digit = row.modrm >> 3;
  const bool group1 = (op | 3) == 0x83;
  const bool to_memory = memory && op < 0x40 && !(op & 2);
  const u8 operation = group1 ? digit : op < 0x40 && (op & 7) <= 5 ? op >> 3 : 8;
  if (operation == 7) return fuses_cmp;
  if (operation == 0 || operation == 5) return to_memory && !gnu ? 0 : fuses_cmp;
  if (operation == 4) return to_memory && !gnu ? 0 : fuses_all;
  if ((op | 1) == 0x85 || (op | 1) == 0xA9 || ((op | 1) == 0xF7 && digit == 0)) return fuses_all;
  if (memory) return 0;
  return (op & 0xF0) == 0x40 || ((op | 1) == 0xFF && digit <= 1) ? fuses_inc : 0;
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
  AlignBranch& to = tweaks_.align_branch;
  unsigned long number = 0;
  if (name == "mbranches-within-32B-boundaries") {
    // The last word counts in GNU as; in LLVM's the more special one.
    if (options_.gnu || !to.boundary_log2) to.boundary_log2 = 5;
    if (options_.gnu || !to.said_kinds) to.kinds = usual_kinds;
    if (options_.gnu) to.most_prefixes = usual_prefixes;
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
    to.most_prefixes = int(std::min(number, 15ul));
    return true;
  }
  if (name != "malign-branch-boundary" || (number && !std::has_single_bit(number)) || number > 1u << 31) return false;
  to.boundary_log2 = number ? u8(std::countr_zero(number)) : 0;
  return true;
}

PaddingOptions X86Target::padding() const {
  const AlignBranch& from = tweaks_.align_branch;
  const u8 kinds = from.said_kinds || !options_.gnu ? from.kinds : usual_kinds;
  PaddingOptions p;
  p.boundary_log2 = kinds ? from.boundary_log2 : 0;
  p.most_prefixes = from.most_prefixes >= 0 ? u8(from.most_prefixes) : options_.gnu ? usual_prefixes : 0;
  p.fuses = kinds & branch_fused;
  p.any_align = from.any_align;
  if (!options_.gnu && options_.relax_all) p.most_prefixes = 0;
  return p;
}

PaddedInstruction X86Target::classify(const Row& row, const Statement& s) const {
  PaddedInstruction insn;
  const AlignBranch& from = tweaks_.align_branch;
  const u8 kinds = from.said_kinds || !options_.gnu ? from.kinds : usual_kinds;
  const bool base = row.encoding == encoding_legacy && row.map == map_none;
  const u8 digit = row.modrm_form == modrm_operands ? row.modrm >> 3 : 8;
  u8 kind = 0;
  bool other_branch = row.imm == imm_16_16 || row.imm == imm_32_16;
  if (row.flags & row_grows) {
    const GrownForm& form = x86_grown[row.grow];
    insn.relaxable = true;
    kind = form.short_opcode == 0xEB ? branch_jmp : branch_jcc;
    if (kind == branch_jcc) insn.fuses = u8(1 << (form.short_opcode >> 1 & 7));
  } else if (row.target == target_8 || row.target == target_16 || row.target == target_32) {
    kind = base && row.opcode == 0xE8 ? branch_call : options_.gnu ? 0 : branch_jcc;
    other_branch = true;
  } else if (base && (row.opcode | 1) == 0xC3) {
    kind = branch_ret;
  } else if (base && row.opcode == 0xFF && (digit == 2 || digit == 4)) {
    kind = options_.gnu ? branch_indirect : digit == 2 ? branch_call : branch_indirect;
  } else if (!options_.gnu && base) {
    if (row.opcode == 0xFF && (digit == 3 || digit == 5)) kind = digit == 3 ? branch_call : branch_indirect;
    if ((row.opcode | 1) == 0xCB || row.opcode == 0xCF) kind = branch_ret;
    if (row.opcode == 0x9A) kind = branch_call;
    if (row.opcode == 0xEA) kind = branch_jmp;
  }
  insn.branch = kinds & kind;
  const bool call_or_indirect = kind == branch_call || kind == branch_indirect;
  const std::string_view resolver = mode_ == 64 ? "__tls_get_addr" : "___tls_get_addr";
  if (options_.gnu && insn.branch && call_or_indirect && s.count && names(s.ops[0], resolver)) insn.branch = false;
  if (!kind && !other_branch) {
    insn.fuses = fused_conditions(row, s, options_.gnu);
    insn.takes_prefix = s.count != 0;
  }
  insn.has_forms = insn.relaxable || starts_short(row, s);
  if (!options_.gnu) {
    // A symbol with a modifier and nothing else.
    for (unsigned i = 0; i < s.count; ++i) {
      const Operand& o = s.ops[i];
      insn.fixed |= o.space == space_other && o.value.modifier && o.value.constant == 0 && o.value.sub == no_symbol;
    }
    // sti, and loads of segment registers: the instruction behind it belongs to it.
    const bool to_segment = row.opcode == 0x8E || row.opcode == 0x17;
    insn.shadows = base && (row.opcode == 0xFB || to_segment);
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
  constexpr unsigned longest = 15;
  const unsigned free = jump ? longest : linked || size > longest ? 0 : longest - size;
  const unsigned most = padding().most_prefixes;
  if (!options_.gnu) return std::min(free, most > n ? most - n : 0);
  return std::min(free, most) > n ? std::min(free, most) - n : 0;
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
