// SPDX-License-Identifier: Apache-2.0
// Instructions from templates (template.h): into the current section, for lines (template.cpp) and for instructions of
// values (asm/stream_verbs.cpp).
#pragma once

#include <type_traits>

#include "asm/read/cache/known_instructions.h"
#include "objwriter/endian.h"

namespace xas {

/// A name whose relocation also counts the field's place in the instruction: no template is made of it, or used for it.
inline constexpr std::string_view global_offset_table = "_GLOBAL_OFFSET_TABLE_";

/// Four bytes, the first one lowest.
inline void put_word(u8* to, u32 bytes) {
  to[0] = u8(bytes), to[1] = u8(bytes >> 8), to[2] = u8(bytes >> 16), to[3] = u8(bytes >> 24);
}

/// False if the name may be anything but a label or not yet defined.
inline bool KnownInstructions::template_symbol(const SymbolTemplate& t, std::string_view name, TemplateSymbol& found) {
  if (!t.has_symbol) return true;
  if (name.size() == global_offset_table.size() && name == global_offset_table) [[unlikely]]
    return false;
  found.id = program().symbols.intern(name.data(), u32(name.size()));
  Symbol& s = program().symbols[found.id];
  if (s.kind > SymbolKind::label) return false;
  const SourceLoc here = program().sources.loc_of(name.data());
  found.is_known = s.loc != 0 && s.loc != here;
  found.where = name.data() + t.where;
  found.constant = t.constant;
  s.flags |= symbol_referenced;
  if (!found.is_known) s.loc = here;
  return true;
}

inline bool KnownInstructions::template_symbol(const SymbolTemplate& t, const ShapeSymbol& symbol,
                                               TemplateSymbol& found) {
  if (!t.has_symbol) return true;
  Symbol& s = program().symbols[symbol.id];
  if (s.kind > SymbolKind::label) return false;
  found = {symbol.id, s.loc != 0, true, program().sources.statement, t.constant + symbol.constant};
  s.flags |= symbol_referenced;
  if (!found.is_known) s.loc = program().sources.statement_loc();
  return true;
}

[[gnu::always_inline]] inline void KnownInstructions::branch_forward(bool is_known, const InsnFragment& branch,
                                                                     SourceLoc loc) {
  if (is_known && program().info.labels.branches_list && program().info.labels.operands_list)
    program().note_temporary(branch.target);
  out_.add_fragment(branch, loc);
}

inline void KnownInstructions::template_branch(const SymbolTemplate& t, u16 form, const TemplateSymbol& s) {
  if (s.by_value && !program().symbols[s.id].is_defined()) {
    return branch_forward(s.is_known,
                          InsnFragment{.constant = s.constant, .target = s.id, .form = form, .modifier = t.modifier},
                          program().sources.statement_loc());
  }
  const SymbolId first = s.id;
  if (s.by_value) out_.first_named = std::span(&first, s.is_known ? 0 : 1);
  out_.relaxable(form, Value{.constant = s.constant, .add = s.id, .modifier = t.modifier}, s.where);
  if (s.by_value) out_.first_named.reset();
}

/// The template's instruction may stand here, and what comes before its symbol does. False: it may not.
[[gnu::always_inline]] inline bool KnownInstructions::begin_word(const WordTemplate& t) {
  if (out_.mapping < Mapping::code) [[unlikely]] {
    if (t.has_symbol && program().info.mapping.after_operands) return false;
    out_.map_code();
  }
  return true;
}

[[gnu::always_inline]] inline void KnownInstructions::end_word(const WordTemplate& t, u32 word,
                                                               const TemplateSymbol& symbol) {
  if (t.is_branch) return template_branch(t, u16(t.field.kind + word), symbol);
  put_word(out_.out, t.in_order(word));
  if (t.has_symbol) template_fixup(t, symbol);
  out_.advance(t.fields.size);
  if (t.fields.alone && out_.wants_fragments) out_.stands_alone(t.fields.size);
}

/// The bytes are there, but for those of a branch that can grow.
[[gnu::always_inline]] inline void KnownInstructions::end_bytes(const InstructionTemplate& t,
                                                                const TemplateSymbol& symbol) {
  if (t.is_branch) return template_branch(t, t.field.kind, symbol);
  if (t.has_symbol) template_fixup(t, symbol);
  out_.advance(t.size);
}

[[gnu::always_inline]] inline bool KnownInstructions::put_together(const WordTemplate& t, const WordShape& shape,
                                                           const std::string_view& name, const char* text) {
  u32 word;
  TemplateSymbol found;
  if (!t.put(shape.pieces, word) || !begin_word(t) || !template_symbol(t, name, found)) return false;
  begin_template(text);
  // Of lines that branch_line would have taken.
  const bool has_pieces = shape.pieces.register_count + shape.pieces.number_count != 0;
  if (t.has_symbol && name[0] == '.' && !has_pieces && out_.block == 0 && (t.is_branch || t.fields.size == 4))
    learn_branch(t, name, text, shape.end, t.in_order(word));
  end_word(t, word, found);
  return true;
}

[[gnu::always_inline]] inline bool KnownInstructions::put_together(const InstructionTemplate& t,
                                                                   const InstructionShape& shape,
                                                                   const std::string_view& name, const char* text) {
  Streamer& out = out_;  // which no byte that is written can change
  u8* const to = out.out = out.current->reserve(2 * Emitter::max_instruction);
  std::memcpy(to, t.bytes, InstructionTemplate::max_bytes);  // nothing counts until `advance`
  for (u32 i = 0; i < shape.register_count; ++i) {
    const RegisterField& f = t.registers[i];
    const u8 number = shape.registers[i].number;
    if (!(f.alike >> number & 1)) return false;
    to[f.at] ^= u8(number << f.shift);
  }
  TemplateSymbol found;
  if (!template_symbol(t, name, found)) return false;
  out.program.sources.statement = text;
  instruction_follows();
  if (t.is_branch) learn_branch(t, name, text, shape.end, 0);
  if (shape.has_displacement) put_number(to + t.displacement_at, t.displacement_size, shape.displacement);
  if (shape.has_immediate) put_number(to + t.immediate_at, t.immediate_size, shape.immediate);
  end_bytes(t, found);
  return true;
}

template <class Template>
[[gnu::always_inline]] inline KnownInstructions::KnownValues<Template> KnownInstructions::find_known(
    u32 mnemonic, std::span<const xas_arg> args) const {
  if (!knows_values()) [[unlikely]]
    return {};
  KnownValues<Template> found;
  const auto* const registers = program().info.lines.registers;
  if constexpr (std::is_same_v<Template, TypedWord>) {
    found.known = shapes_.typed_words.find(registers, mnemonic, args, found.encoded);
  } else {
    found.encoded = out_.current->reserve(2 * Emitter::max_instruction);
    found.known = shapes_.typed_bytes.find(registers, mnemonic, args, found.encoded);
  }
  return found;
}

[[gnu::always_inline]] inline void KnownInstructions::take_plain(const KnownWord& instruction) {
  Subsection& to = *out_.current;
  put_word(to.reserve(sizeof instruction.encoded), instruction.encoded);
  to.size += sizeof instruction.encoded;
  to.has_instructions = true;
}

[[gnu::always_inline]] inline void KnownInstructions::take_plain(const KnownBytes& instruction) {
  out_.current->size += instruction.known->size;
  out_.current->has_instructions = true;
}

[[gnu::always_inline]] inline bool KnownInstructions::take_values(const KnownWord& instruction,
                                                                  const ShapeSymbol& symbol) {
  const TypedWord& t = *instruction.known;
  TemplateSymbol found;
  if (!begin_word(t) || !template_symbol(t, symbol, found)) return false;
  out_.out = out_.current->reserve(2 * Emitter::max_instruction);
  instruction_follows();
  end_word(t, instruction.encoded, found);
  return true;
}

[[gnu::always_inline]] inline bool KnownInstructions::take_values(const KnownBytes& instruction,
                                                                  const ShapeSymbol& symbol) {
  const TypedBytes& t = *instruction.known;
  TemplateSymbol found;
  if (!template_symbol(t, symbol, found)) return false;
  out_.out = instruction.encoded;
  instruction_follows();
  end_bytes(t, found);
  return true;
}

inline const KnownBranch* KnownInstructions::find_branch(const char* text) {
  const KnownBranch* const known = branches_.find(text);
  if (!known || known->generation != shapes_.instructions.generation() || out_.block || out_.mapping < Mapping::code)
    return nullptr;
  return known;
}

[[gnu::always_inline]] inline void KnownInstructions::take_branch(const KnownBranch& known, const char* text,
                                                                  const char* operand, SymbolId to) {
  const SourceLoc loc = program().sources.loc_of(operand);
  const bool is_known = program().symbols[to].loc != loc;  // it has stood before
  if (!known.symbol.is_branch) {
    begin_template(text);
    put_word(out_.out, known.word);
    template_fixup(known.symbol, {.id = to,
                                  .is_known = is_known,
                                  .where = operand + known.symbol.where,
                                  .constant = known.symbol.constant});
    out_.advance(4);
    return;
  }
  program().sources.statement = text;
  instruction_follows();
  if (!program().symbols[to].is_defined()) {
    branch_forward(is_known, InsnFragment{.target = to, .form = known.symbol.field.kind}, loc);
  } else {
    Value value;
    value.add = to;
    out_.relaxable(known.symbol.field.kind, value, operand);
  }
}

}  // namespace xas
