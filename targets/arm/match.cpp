// SPDX-License-Identifier: Apache-2.0
// From a mnemonic, a signature and its values to an instruction: the first row of the present instruction set that has
// that signature and whose fields can hold the values.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "targets/arm/arm.h"
#include "targets/arm/tables.h"

namespace xas::arm {

using namespace atoms;

bool ArmTarget::usable(const Row& row, const Mnemonic& m, ItBlock it) const {
  if (row.flags & foreign_rows_) return false;
  if (row.flags & row_nop) [[unlikely]] {
    const bool has_nops = !options_.gnu ? (row.set == set_a32 ? processor_.a32_hints : processor_.t16_hints)
                          : thumb_      ? (processor_.has_nops || processor_.is_selected()) && has_thumb_nops()
                                        : processor_.has_nops;
    if (!has_nops) return false;
  }
  if (row.set == set_a32) {
    if (m.width == 2) return false;
    if (m.condition != 14 && !may_be_conditional(row)) return false;
    return m.sets_flags == ((row.flags & row_flags) != 0);
  }
  if (m.vpt && !(row.flags & row_vpt)) return false;
  if ((row.flags & (row_vpt | row_any_it)) && m.condition != 14) return false;
  if (syntax_.divided) [[unlikely]] {
    if (m.width || (row.flags & row_unified)) return false;
  } else if (row.flags & row_divided) {
    return false;
  }
  if (m.width && (m.width == 2) != (row.set == set_t16)) return false;
  if ((row.flags & row_wide) && m.width != 4) return false;
  if ((row.flags & row_narrow) && m.width != 2) return false;
  if ((row.flags & row_plain) && m.width) return false;
  const bool in_it = it.state || (m.condition != 14 && row.condition == 255);
  if (row.condition != 255 && (it.state || m.condition == 14)) return false;
  // GNU as takes MVE's in IT blocks, with a warning.
  const bool taken = options_.gnu && (row.flags & row_vpt);
  const u32 not_in_it = (taken ? 0u : u32(row_no_it)) | row_outside_it | (options_.gnu ? 0u : u32(row_no_it_llvm));
  if (in_it ? row.flags & not_in_it : row.flags & row_inside_it) return false;
  if ((row.flags & row_last_it) && it.left() > 1) return false;
  if (row.flags & row_flags_outside) return m.sets_flags == !in_it || (syntax_.divided && !in_it);
  return m.sets_flags == ((row.flags & row_flags) != 0);
}

/// T16's `add` of high registers, given low ones; GNU as counts `add r0, r8, r0` with them if it has another form.
bool ArmTarget::adds_low(u32 word, const Operands& o) const {
  constexpr u32 high_registers = 0xC0;
  if (!(word & high_registers)) return true;
  const bool has_wide = !syntax_.divided && processor_.prefers("thumb2");
  return has_wide && o.count == 3 && o.value[2] == o.value[0] && o.value[1] != o.value[0] && o.value[0] < 8;
}

/// A name and something else, be it `+ 0`.
static bool is_sum(const Value& value, const char* p) {
  if (value.constant != 0 || value.sub != no_symbol) return true;
  while (text::is_name_char(*p)) ++p;
  p = text::skip_blanks(p);
  return *p == '+' || *p == '-';
}

bool ArmTarget::encode(const Row& row, const Mnemonic& m, const Operands& o, Encoded& e, unsigned& failed) const {
  e.word = row.opcode;
  const Field* f = arm_fields + row.fields;
  for (unsigned i = 0; i < row.field_count; ++i) {
    if (encode_field(row, arm_encoders[f[i].encoder], f[i], o, e)) continue;
    failed = i;
    return false;
  }
  if ((row.flags & row_low_v6) && options_.gnu && adds_low(e.word, o) && !selects("v6t2") && !selects("v6m")) {
    failed = 0;
    return false;
  }
  if (row.condition != 255) e.word |= u32(m.condition) << row.condition;
  if (e.pending && row.set == set_t16 && e.fields[0].kind == fixup_t16_cbz) {
    e.relaxable = u16(0x400 | (e.word & 7) | (e.word >> 8 & 8));
  } else if (e.pending && row.set == set_t16 && m.width == 0 && can_grow(e.fields[0].kind)) {
    const u16 reg = u16(e.word >> 8 & 7);
    const Pending& to = e.fields[0];
    if (to.expr == Encoded::none) {
      failed = 0;  // a number may be anywhere
      return false;
    }
    const bool sum = is_sum(o.expr[to.expr], o.where[to.atom]);
    if (to.kind == fixup_t16_b11 && sum && (!options_.gnu || options_.format == ObjectFormat::coff)) {
      failed = 0;  // LLVM has the wide form for sums
      return false;
    }
    switch (to.kind) {
      case fixup_t16_b11: e.relaxable = 0x000; break;
      case fixup_t16_b8: e.relaxable = u16(0x100 | m.condition); break;
      case fixup_t16_load: e.relaxable = u16(0x200 | reg); break;
      case fixup_t16_adr: e.relaxable = u16(0x300 | reg); break;
      default: break;
    }
  }
  return true;
}

unsigned ArmTarget::write(u32 word, bool narrow, u8* out) const {
  const auto halfword = [&](u32 v, u8* at) {
    at[options_.big_endian] = u8(v);
    at[!options_.big_endian] = u8(v >> 8);
  };
  if (narrow) {
    halfword(word, out);
    return 2;
  }
  if (thumb_) {
    halfword(word >> 16, out);
    halfword(word & 0xFFFF, out + 2);
  } else {
    for (unsigned i = 0; i < 4; ++i) out[options_.big_endian ? 3 - i : i] = u8(word >> (8 * i));
  }
  return 4;
}

/// Whether linkers are told of `bx`, which they may replace for processors that do not have it.
bool ArmTarget::marks_bx() const {
  return options_.gnu && has_eabi() && options_.format == ObjectFormat::elf && (!selects("v5t") || object_is_old_);
}

/// Whether GNU as counts an instruction of Thumb with those that may grow, although its numbers are known: moves,
/// comparisons, sums and addresses with a number, of the registers that have a narrow form.
bool ArmTarget::stands_alone(const Row& row, const Mnemonic& m, const Operands& o, ItBlock it) const {
  if (!thumb_ || !syntax_.unified || m.width || !processor_.prefers("thumb2")) return false;
  const u32 traits = facts_of(row).traits;
  const auto is_number = [&](unsigned i) { return o.atom(i) == atom_imm || o.atom(i) == atom_expr; };
  const bool is_narrow = m.sets_flags == !it.state;
  const Atom first = o.atom(0);
  if (traits & (grow_move | grow_compare))
    return o.count == 2 && first == atom_low && is_number(1) && ((traits & grow_compare) || is_narrow);
  if (traits & (grow_add | grow_sub)) {
    if (o.count < 2 || o.count > 3 || !is_number(o.count - 1)) return false;
    const Atom second = o.count == 3 ? o.atom(1) : first;
    if (first == atom_sp) return second == atom_sp && !m.sets_flags;
    if (first != atom_low) return false;
    if (second == atom_low) return is_narrow;
    return (second == atom_sp || second == atom_pc) && (traits & grow_add) && !m.sets_flags;
  }
  if (!(traits & (grow_load | grow_store | grow_small))) return false;
  if (first != atom_low || o.atom(1) != atom_open || o.atom(o.count - 1) != atom_close) return false;
  if (o.count != 4 && !(o.count == 5 && is_number(3))) return false;
  const Atom base = o.atom(2);
  return base == atom_low || (base == atom_sp && !(traits & grow_small)) || (base == atom_pc && (traits & grow_load));
}

void ArmTarget::emit(const Row& row, const Encoded& e, const Mnemonic& m, const Operands& o, Emitter& out) {
  const auto value = [&](const Pending& field) {
    if (field.expr != Encoded::none) return o.expr[field.expr];
    return Value{.add = out.number_symbol(o.value[field.atom])};
  };
  if (e.relaxable != 0xFFFF) return out.relaxable(e.relaxable, value(e.fields[0]), o.where[e.fields[0].atom]);
  unsigned size = write(e.word, row.set == set_t16, out.out);
  if (e.pending && e.fields[0].kind == fixup_a32_adrl) size += write(0, false, out.out + size);
  for (unsigned i = 0; i < e.pending; ++i) {
    u16 kind = e.fields[i].kind;
    if (kind == fixup_a32_call && e.word >> 28 != 14) kind = fixup_a32_call_conditional;
    // Distances count from behind the next instruction.
    const bool pcrel = fixup_info(kind).pcrel && kind != fixup_a32_movw && kind != fixup_a32_movt;
    const Value to = value(e.fields[i]);
    // The linker makes another instruction of a call to a TLS descriptor's function.
    const bool replaced = options_.gnu && to.modifier == mod_tlscall;
    const i8 bias = !pcrel || replaced ? 0 : row.set == set_a32 ? -8 : -4;
    out.fixup({.kind = kind, .at = 0, .addend = bias}, to, o.where[e.fields[i].atom]);
  }
  if ((row.flags & row_v4bx) && marks_bx())
    out.fixup({.kind = fixup_v4bx, .at = 0}, {}, o.where[0]);
  out.advance(size);
  if (out.wants_fragments && options_.gnu && stands_alone(row, m, o, blocks_.it)) out.stands_alone(size);
}

namespace {

/// The register at operand `i` as a list of it alone; false if there is none.
bool make_list(Operands& o, unsigned i) {
  if (i >= o.count || (o.atom(i) != atom_d && o.atom(i) != atom_q)) return false;
  o.value[i] |= o.atom(i) == atom_q ? 2 << 8 : 1 << 8;
  o.set_atom(i, atom_d_list);
  if (i + 1 < o.count && o.atom(i + 1) == atom_index) {
    o.set_atom(i, atom_d_lane);
    o.set_atom(i + 1, atom_imm);
  }
  return true;
}

/// The other way to read operands that no row has, in place: false if there is none. vld1.8 d0, [r1], vtbl.8 d0, d1,
/// d2: braces around a single register may be left out. mrc 15, ...: so may the p of a coprocessor. push 8: a list may
/// be a number. `traits` are those of the mnemonic's rows, `bare` the first operand's number if it is nothing but
/// digits.
bool read_otherwise(u32 traits, Operands& o, int bare) {
  if (traits & list_number) {
    const unsigned last = o.count - 1;
    if (o.count == 0 || !o.is_number(last) || o.value[last] <= 0 || o.value[last] > 0xFFFF) return false;
    o.set_atom(last, atom_list);
    return true;
  }
  if (o.atom(0) == atom_imm && bare >= 0) {
    o.set_atom(0, atom_coprocessor);
    o.value[0] = bare;
    return true;
  }
  if (traits & list_second) return make_list(o, 1);
  return (traits & list_first) && make_list(o, 0);
}

/// Whether no instruction can follow in the same IT block: what writes the program counter. GNU as overlooks pop {pc}.
bool ends_it(const Row& row, const Operands& o, bool gnu) {
  if ((row.flags & row_last_it) || o.atom(0) == atom_pc) return true;
  if (gnu && row.set == set_t16) return false;
  for (unsigned i = 0; i < o.count; ++i)
    if (o.atom(i) == atom_list && o.value[i] >> reg_pc & 1) return true;
  return false;
}

}  // namespace

/// GNU as loads pc, and stores it, at a distance from pc that is a multiple of 4.
bool ArmTarget::is_aligned_jump(const Row& row, const Operands& o, const char* where, Emitter& out) const {
  if (!options_.gnu || !(facts_of(row).traits & (grow_load | grow_store))) return true;
  const unsigned at = o.atom(1) == atom_open ? 3 : 1;
  if (at == 3 && o.atom(2) != atom_pc) return true;
  const bool is_number = o.atom(at) == atom_imm;
  if (!is_number && o.atom(at) != atom_expr) return true;
  const i64 distance = is_number ? o.value[at] : o.expr[o.value[at]].constant;
  if (distance % 4 == 0) return true;
  out.error(where, "what pc is loaded from must be a multiple of 4 bytes away from pc");
  return false;
}

/// LLVM takes a label for a narrow load or adr, but no sum, as long as there is a wide one.
bool ArmTarget::has_sum_for_label(const Encoded& e, const Operands& o) const {
  if (e.pending != 1 || e.fields[0].expr == Encoded::none) return false;
  const u16 kind = e.fields[0].kind;
  const Value& to = o.expr[e.fields[0].expr];
  return (kind == fixup_t16_load || kind == fixup_t16_adr) && to.add != no_symbol && to.constant != 0 && can_grow(kind);
}

bool ArmTarget::match_rows(const Spelling& s, const Mnemonic& m, const Operands& o, const char* where, Emitter& out) {
  const Row* row = arm_rows + s.first + (thumb_ ? s.a32_count : 0);
  const Row* const end = row + (thumb_ ? s.thumb_count : s.a32_count);
  u32 foreign = m.exact && &s == m.spelling ? 0 : u32(row_exact) | (options_.gnu ? u32(row_typed) : 0);
  // The names for quad registers are those of Advanced SIMD.
  if (m.quad) foreign |= row_vpt;
  // In old syntax what has narrow forms has no wide ones, and no suffix s.
  const bool narrow_only =
      syntax_.divided && thumb_ && row != end && row->set == set_t16 && !(row->flags & row_unified);
  const Row* narrow = nullptr;
  for (; row != end; ++row) {
    if (((o.signature[0] ^ row->signature[0]) & row->mask[0]) | ((o.signature[1] ^ row->signature[1]) & row->mask[1]))
      continue;
    if (narrow_only && (row->set == set_t32 || m.sets_flags) && !(row->flags & row_old)) continue;
    if ((row->flags & foreign) || !usable(*row, m) ||
        (processor_.is_gated() && !processor_.available(row->features) &&
         !(switches_.fix_v4bx && (row->flags & row_v4bx))))
      continue;
    Encoded e;
    unsigned failed;
    if (!encode(*row, m, o, e, failed)) continue;
    // GNU as gives what it does not know yet the wide form, for good, and counts it with the narrow ones.
    if (row->set == set_t16 && o.expressions && o.expr[0].modifier == 0 && options_.gnu &&
        stands_alone(*row, m, o, blocks_.it)) {
      narrow = row;
      continue;
    }
    if (!options_.gnu && row->set == set_t16 && m.width == 0 && has_sum_for_label(e, o)) continue;
    if (processor_.is_gated()) [[unlikely]] {
      if (const char* at = processor_.missing_register(o)) {
        out.error(at, "registers from d16 on are not available; .fpu of a unit with 32 registers brings them");
        if (options_.gnu) leave_it();
        return true;
      }
    }
    if (thumb_) {
      const bool branch = row->condition != 255;
      const bool anywhere = (row->flags & row_any_it) || (options_.gnu && (row->flags & row_vpt));
      const bool neutral = options_.gnu && (row->flags & row_neutral);
      // What does not care about IT blocks may have a condition outside of them, which says nothing.
      const bool unconditional = m.condition == 14 ? anywhere || neutral : neutral && !blocks_.it.state;
      if (!enter_vpt(*row, m, where, out)) return leave_it(), true;
      if (!branch && !unconditional && !enter_it(m, where, out)) return true;
    }
    if (o.atom(0) == atom_pc && !is_aligned_jump(*row, o, where, out)) return leave_it(), true;
    if ((row->flags & row_checked) && !is_sound(*row, e.word, o, where, out)) return leave_it(), true;
    if (blocks_.it.left() > 1 && ends_it(*row, o, options_.gnu)) {
      out.error(where, "what writes the program counter must be the last of its IT block");
      return leave_it(), true;
    }
    if (!thumb_ && blocks_.it.state && m.condition != blocks_.it.next()) {
      out.error(where, explain_condition(m, blocks_.it.next()));
      return leave_it(), true;
    }
    if (options_.gnu && !processor_.is_selected() && !narrow && row->set == set_t32 &&
        stands_alone(*row, m, o, blocks_.it)) {
      // Nor does it count that a number asks for the wide form, which only layout takes.
      narrow = std::find_if(arm_rows + s.first + s.a32_count, row, [](const Row& r) { return r.set == set_t16; });
    }
    used_.needs[(narrow ? narrow : row)->features] |= thumb_ ? 2 : 1;
    if (e.truncated) [[unlikely]]
      out.warning(where, "a number does not fit in 32 bits; its lower ones count");
    if (e.pool) [[unlikely]] {
      emit_literal(*row, e, m, o, out);
    } else {
      last_.row = row;
      last_.block = blocks_.it;
      last_.first_row = arm_rows + s.first + (thumb_ ? s.a32_count : 0);
      emit(*row, e, m, o, out);
    }
    if (blocks_.implicit.count && ends_it(*row, o, options_.gnu)) blocks_.implicit.count = 0;
    leave_it();
    return true;
  }
  return false;
}

/// Whether the operands are those of a row whose features have not been selected.
bool ArmTarget::is_unavailable(const Spelling& s, const Mnemonic& m, const Operands& o) const {
  const Row* row = arm_rows + s.first + (thumb_ ? s.a32_count : 0);
  const Row* const end = row + (thumb_ ? s.thumb_count : s.a32_count);
  for (; row != end; ++row) {
    Encoded e;
    unsigned failed;
    if (!(row->flags & foreign_rows_) && first_difference(*row, o) == max_atoms && !processor_.has_all(row->features) &&
        encode(*row, m, o, e, failed))
      return true;
  }
  return false;
}

/// Whether the instruction is one that can't stand here in the IT block that is open, and has no other fault.
bool ArmTarget::is_only_misplaced(const Mnemonic& m, const Operands& o) const {
  if (!blocks_.it.state) return false;
  const auto is_placed = [&](const Row& row) {
    return (m.condition == 14 && usable(row, m, {})) || usable(row, m, ItBlock::of_one(blocks_.it.next()));
  };
  const Row* const first = arm_rows + m.spelling->first + (thumb_ ? m.spelling->a32_count : 0);
  return std::any_of(first, first + (thumb_ ? m.spelling->thumb_count : m.spelling->a32_count), [&](const Row& row) {
    Encoded e;
    unsigned failed;
    return first_difference(row, o) == max_atoms && processor_.has_all(row.features) && is_placed(row) &&
           encode(row, m, o, e, failed);
  });
}

bool ArmTarget::match_spellings(const Mnemonic& m, Operands& o, const char* where, Emitter& out) {
  const auto match_weaker = [&] {
    for (const Spelling* s : m.weaker)
      if (s && match_rows(*s, m, o, where, out)) return true;
    return false;
  };
  if (match_rows(*m.spelling, m, o, where, out)) [[likely]] return true;
  if (processor_.is_gated() && is_unavailable(*m.spelling, m, o)) return false;
  bool found = match_weaker();
  if (!found) {
    const Operands written = o;
    found = read_otherwise(facts_of(arm_rows[m.spelling->first]).traits, o, bare_) &&
            (match_rows(*m.spelling, m, o, where, out) || match_weaker());
    if (!found) o = written;
  }
  last_.row = nullptr;
  return found;
}

void ArmTarget::match(const Mnemonic& m, Operands& o, const char* where, const char* end, Emitter& out) {
  if (!processor_.has_mode(thumb_)) [[unlikely]]
    return out.error(where, Processor::lacks_mode(thumb_));
  if (blocks_.implicit.count && join_implicit_it(m, o, where, out)) {
    blocks_.implicit.place = out.place();
    return;
  }
  const u8* const start = out.out;
  if (match_spellings(m, o, where, out)) {
    blocks_.implicit.size = u32(out.out - start);
    if (blocks_.implicit.count) blocks_.implicit.place = out.place();
    return;
  }
  explain(m, o, where, end, out);
  if (!options_.gnu && !is_only_misplaced(m, o)) return;  // to LLVM it is as if the instruction had not been there
  leave_it();
  leave_vpt();
}

/// It has one operand, which is where a branch goes.
static bool takes_label(const Row& row) {
  const Encoding encoding = row.field_count == 1 ? arm_encoders[arm_fields[row.fields].encoder].encoding : enc_linear;
  return encoding >= enc_a32_branch && encoding < enc_literal_pool && row.signature[0] <= 0xFF;
}

static std::span<const Row> rows_of(const Spelling& s) {
  return {arm_rows + s.first, std::size_t(s.a32_count + s.thumb_count)};
}

/// What the mnemonic of a statement comes to that is not among those met last. False: it is none.
bool ArmTarget::look_up(std::string_view written, const char* p, Known& known, Mnemonic& m, Emitter& out) {
  const bool found = resolve(written, m);
  if (found) m.label = std::ranges::all_of(rows_of(*m.spelling), takes_label);
  const bool takes_types = written[0] == 'v' && written.find('.') == written.npos;
  if (takes_types && (!found || typed_.any || may_have_types(p))) {
    Mnemonic typed;
    if (resolve_typed(written, p, typed, out)) {
      m = typed;
      return typed_.on_operands = true;
    }
  }
  if (found && !blocks_.vpt_left && !m.vpt && written.size() <= sizeof known.text) {
    known.mnemonic = m;
    known.takes_types = takes_types;
    known.size = u8(written.size());
    std::memcpy(known.text, written.data(), written.size());
  }
  return found;
}

/// 15, which is decimal whatever it begins with; -1: something else.
static int coprocessor_number(const char* p) {
  int n = 0;
  const char* q = p;
  for (; u8(*q - '0') <= 9 && n <= 15; ++q) n = n * 10 + (*q - '0');
  return q != p && n <= 15 && !text::is_name_char(*q) ? n : -1;
}

bool ArmTarget::instruction(const Name& mnemonic, const char*& p, Emitter& out) {
  enter(out.block);
  const bool known = read_instruction(mnemonic, p, out);
  out.block = block();
  return known;
}

bool ArmTarget::read_instruction(const Name& mnemonic, const char*& p, Emitter& out) {
  last_.row = nullptr;
  if (mnemonic.size == 0) return false;
  Known& known = known_[mnemonic.hash >> (64 - known_log2)];
  Mnemonic& m = last_.mnemonic;
  typed_.on_operands = false;
  if (known.size == mnemonic.size && !blocks_.vpt_left && std::memcmp(known.text, mnemonic.p, known.size) == 0 &&
      !(known.takes_types && (typed_.any || may_have_types(p)))) {
    if (out.has_register_aliases && alias_statement(mnemonic, p, out)) return true;
    m = known.mnemonic;
  } else {
    if (alias_statement(mnemonic, p, out)) return true;
    char lower[40];
    if (mnemonic.size > sizeof lower) return false;
    for (u32 i = 0; i < mnemonic.size; ++i) lower[i] = text::lower(mnemonic.p[i]);
    const std::string_view written(lower, mnemonic.size);
    if (it_instruction(written, p, mnemonic.p, out)) return true;
    m = {};
    if (!look_up(written, p, known, m, out)) return false;
  }
  Operands& o = last_.operands;
  o.clear();
  p = text::skip_blanks(p);
  const char* const first = p;
  const bool label = m.label && text::is_name_char(*p);
  // LLVM's `bl $4`, and that of GNU as's old syntax.
  const bool dollar_name =
      *p == '$' && text::is_name_char(p[1]) &&
      (options_.gnu ? syntax_.divided && std::ranges::any_of(rows_of(*m.spelling), takes_label) : label);
  if (dollar_name ? !parse_value(p, p, o, out)
      : label     ? !parse_immediate(p, o, out)
                  : !parse_operands(p, m.spelling->names, o, out)) {
    if (options_.gnu) leave_it();
    return true;
  }
  // ~0xFFFFFFFD is 2.
  if (const unsigned last = o.count - 1; options_.gnu && o.is_number(last) && o.value[last] != i32(o.value[last]) &&
                                         (facts_of(arm_rows[m.spelling->first]).traits & wraps))
    o.value[last] = i32(u32(o.value[last]));
  if (o.overflow) {
    out.error(mnemonic.p, "too many operands");
  } else if (m.quad && o.atom(0) != atom_q) {
    out.error(mnemonic.p, fmt::format("`{}` is for quad registers", mnemonic.text()));
    leave_it();
  } else {
    bare_ = o.atom(0) == atom_imm ? coprocessor_number(first) : -1;
    match(m, o, mnemonic.p, p, out);
    blocks_.implicit.end = p;
  }
  return true;
}

}  // namespace xas::arm
