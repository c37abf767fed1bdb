// SPDX-License-Identifier: Apache-2.0
// Branches that grow: jmp and jcc, two bytes while the distance fits in eight bits.
//
// A form is the number of the row's grown form (the generator counts them), times four, plus one where the long form
// has a 16-bit distance. Plus two where a 32-bit distance is in code that is not of the object's class, for which there
// are other relocations; and where one of 16 bits is a jmp's, because processors before the 80386 have no long jcc: GNU
// as jumps over it with the opposite condition. Prefixes stand in front of the form and are no part of it.
//
// llvm-mc lets immediates that are no numbers yet begin with eight bits as well (`add $x, %eax`, where `.set x, 5` may
// follow). The forms behind those of branches are such immediates: their kind, and how far before them the opcode
// stands, one bit of which tells the short form.
//
// Behind these are the branches that are long from the start ({disp32}). GNU as treats them as others that grow: their
// relocations come last, and labels of the section are resolved.
#include <fmt/format.h>

#include <iterator>

#include "targets/x86/tables.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

namespace {

const GrownForm& grown(u16 form) { return x86_grown[form >> 2]; }
unsigned distance_size(u16 form) { return form & 1 ? 2 : 4; }
/// Its long form is the opposite jcc over a jmp.
bool is_inverted(u16 form) { return (form & 3) == 3; }
constexpr u8 inverted_size = 5;

constexpr u16 first_immediate = u16(std::size(x86_grown) * 4);
constexpr u16 immediate_kinds[] = {fixup_imm16, fixup_imm32, fixup_imm32s};
constexpr u16 first_long = u16(first_immediate + std::size(immediate_kinds) * max_instruction_size);

bool is_immediate(u16 form) { return form >= first_immediate && form < first_long; }
/// The form of the same branch as one that may be short, and its state there: a long one has no other.
u16 branch_form(u16 form) { return form >= first_long ? u16(form - first_long) : form; }
u8 branch_state(u16 form, u8 state) { return form >= first_long ? 1 : state; }
u16 immediate_kind(u16 form) { return immediate_kinds[(form - first_immediate) % 3]; }
unsigned opcode_distance(u16 form) { return (form - first_immediate) / 3; }

}  // namespace

void X86Target::branch(const Row& row, Statement& s, Emitter& out) {
  Operand& target = s.ops[0];
  u8* o = out.out;
  if (s.prefixes && !fits_prefixes(row, s, out)) return;
  if (target.value.modifier && options_.gnu && !fits_tls_sequence(row, s, target, out)) return;
  const bool data = (s.prefixes & prefix_data) && options_.gnu;
  const bool other = data && !(s.rex & 8) && !is_intel64_branch(row);
  const bool small = row.operand_size ? row.operand_size == size_16 : (mode_ == 16) != other;
  const bool hint = is_branch_hint(s.segment_prefix);
  if (s.segment_prefix && !hint)
    out.warning(s.where, fmt::format("a segment has no meaning before `{}` and is left out", s.mnemonic));
  if (s.prefixes & prefix_notrack) *o++ = 0x3E;
  if ((row.operand_size && small != (mode_ == 16)) || data) *o++ = 0x66;
  if (hint) *o++ = s.segment_prefix == 2 ? 0x2E : 0x3E;
  if (s.prefixes & (prefix_bnd | prefix_repne)) *o++ = 0xF2;
  if (s.prefixes & prefix_rep) *o++ = 0xF3;
  if (s.prefixes & prefix_lock) *o++ = 0xF0;
  if (s.rex || ((s.prefixes & want_rex) && mode_ == 64)) *o++ = u8(0x40 | s.rex);
  if (o != out.out) {
    out.pin(target.value);  // `.` is where the prefixes begin
    out.advance(unsigned(o - out.out));
  }
  const bool other_form = small ? facts_of(row).branch == Branch::jcc && !has_386() : is_foreign_;
  const u16 form = u16(row.grow * 4 + 2 * other_form + small);
  const bool is_long = s.prefixes & (want_disp16 | want_disp32);
  if (is_long && options_.gnu) return out.relaxable(u16(first_long + form), target.value, target.where);
  if (is_long || options_.relax_all) {
    FieldFixup field = relax_write(form, 1, out.out);
    out.fixup(field, target.value, target.where);
    out.advance(relax_size(form, 1));
    return;
  }
  out.relaxable(form, target.value, target.where);
}

/// The instruction has a form with an immediate of eight bits, and llvm-mc hopes for it.
bool X86Target::starts_short(const Row& row, const Statement& s) const {
  if (options_.gnu || options_.relax_all || !facts_of(row).has(trait_shortimm)) return false;
  const unsigned imm = operand_in_role(row, role_imm);
  if (imm == no_operand || !s.ops[imm].symbolic) return false;
  // A distance to the instruction's end would have to follow.
  return s.memory < 0 || !s.ops[s.memory].symbolic || s.ops[s.memory].regs < AddressRegs::rip;
}

/// The immediate that ends an instruction, behind `start` bytes that have been written; the opcode stands `distance`
/// bytes before it.
void X86Target::short_immediate(u16 kind, unsigned distance, unsigned start, const Operand& o, Emitter& out) const {
  const u16 form = u16(first_immediate + distance * 3 + (kind == fixup_imm16 ? 0 : kind == fixup_imm32 ? 1 : 2));
  Value value = o.value;
  if (kind != fixup_imm16 && value.sub == no_symbol && is_got(o)) value.constant += start;
  out.pin(value);
  out.advance(start);
  out.relaxable(form, value, o.where);
}

unsigned X86Target::relax_size(u16 form, u8 state) const {
  if (is_immediate(form)) [[unlikely]] return state == 0 ? 1 : immediate_kind(form) == fixup_imm16 ? 2 : 4;
  if (branch_state(form, state) == 0) return 2;
  if (is_inverted(branch_form(form))) return inverted_size;
  return (grown(branch_form(form)).map ? 2 : 1) + distance_size(branch_form(form));
}

RelaxRange X86Target::relax_range(u16 form, u8 state) const {
  if (state == 0 && is_immediate(form)) return {-128, 127};
  if (branch_state(form, state) == 0) return {-128 + 2, 127 + 2};
  return {INT64_MIN, INT64_MAX};
}

u8 X86Target::relax_unresolved_state(u16 form) const { return form >= first_long ? 0 : 1; }

bool X86Target::relax_pcrel(u16 form) const { return !is_immediate(form); }

FieldFixup X86Target::relax_write(u16 form, u8 state, u8* out) const {
  // From a table: putting the structure together byte by byte and loading it whole would stall.
  static constexpr FieldFixup fields[] = {{fixup_branch8, 1, -1},
                                          {fixup_branch32, 1, -4},
                                          {fixup_branch16, 1, -2},
                                          {fixup_branch32_foreign, 1, -4},
                                          {fixup_branch16, 1, -2},
                                          {fixup_branch32, 2, -4},
                                          {fixup_branch16, 2, -2},
                                          {fixup_branch32_foreign, 2, -4},
                                          {fixup_branch16, 2, -2}};
  if (is_immediate(form)) [[unlikely]] {
    if (state == 0) *(out - opcode_distance(form)) |= short_opcode_bit;
    for (unsigned i = 0; i < relax_size(form, state); ++i) out[i] = 0;
    return {state == 0 ? u16(fixup_imm8s) : immediate_kind(form), 0, 0};
  }
  state = branch_state(form, state);
  form = branch_form(form);
  const GrownForm& g = grown(form);
  if (state == 0) {
    out[0] = g.short_opcode;
    out[1] = 0;
    return fields[0];
  }
  if (is_inverted(form)) {
    constexpr u8 jmp = 0xE9;
    for (const u8 byte : {u8(g.short_opcode ^ 1), u8(inverted_size - 2), jmp, u8(0), u8(0)}) *out++ = byte;
    return {fixup_branch16, inverted_size - 2, -2};
  }
  const bool two_bytes = g.map;
  if (two_bytes) *out++ = 0x0F;
  *out++ = g.opcode;
  for (unsigned i = 0; i < distance_size(form); ++i) out[i] = 0;
  return fields[1 + 4 * two_bytes + (form & 3)];
}

bool X86Target::relax_write_known(u16 form, u8 state, i32 distance, u8* out) const {
  if (is_immediate(form)) return false;
  state = branch_state(form, state);
  form = branch_form(form);
  const GrownForm& g = grown(form);
  if (state == 0) {
    out[0] = g.short_opcode;
    out[1] = u8(distance - 2);
    return true;
  }
  if (distance_size(form) != 4) return false;
  const unsigned size = g.map ? 6 : 5;
  if (g.map) *out++ = 0x0F;
  *out++ = g.opcode;
  const i64 from_end = i64(distance) - size;
  for (unsigned i = 0; i < 4; ++i) out[i] = u8(from_end >> (8 * i));
  return i32(from_end) == from_end;
}

}  // namespace xas::x86
