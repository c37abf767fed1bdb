// SPDX-License-Identifier: Apache-2.0
// Exact lines and templates of the line cache (line_cache.h): instructions are copied, or put together from the
// template of their shape; and what was read is made into these.
#include <algorithm>

#include "asm/read/cache/put_together.h"

namespace xas {

/// The next of these is known by its spelling, if its line, which ends at `end`, is `mnemonic name`.
void LineCache::learn_branch(const SymbolTemplate& t, std::string_view name, const char* text, const char* end,
                             u32 word) {
  Spelling spelling;
  u32 size;
  KnownBranch* const known = branches_.entry(text, spelling, size);
  if (!known || (t.is_branch && t.constant) || t.modifier || (t.is_branch && t.where)) return;
  if (text + size + 1 != name.data() || name.data() + name.size() != end) return;
  *known = {spelling, t, shapes_.instructions.generation(), word, u8(size)};
}

/// The bytes of `t` hold what was taken out of the shape, and are made ready to hold something else. False if they
/// don't.
static bool hold_operands(InstructionTemplate& t, const InstructionShape& shape, const InstructionFields& fields) {
  const auto holds = [&](u8 at, u8 bytes, i32 number) {
    if (bytes == 0 || at + bytes > t.size) return false;
    u64 field = 0;
    for (u8 i = 0; i < bytes; ++i) field |= u64(t.bytes[at + i]) << (8 * i);
    const unsigned unused = 64 - 8 * bytes;
    return i64(field << unused) >> unused == number;
  };
  if (shape.has_displacement && !holds(fields.displacement_at, fields.displacement_size, shape.displacement))
    return false;
  if (shape.has_immediate && !holds(fields.immediate_at, fields.immediate_size, shape.immediate)) return false;
  t.displacement_at = fields.displacement_at, t.displacement_size = fields.displacement_size;
  t.immediate_at = fields.immediate_at, t.immediate_size = fields.immediate_size;

  if (shape.register_count && fields.register_count != shape.register_count) return false;
  for (u32 i = 0; i < shape.register_count; ++i) {
    const RegisterField& f = fields.registers[i];
    RegisterField& r = t.registers[i] = {f.number, 0, RegisterField::nowhere, 0xFF};
    if (f.number != shape.registers[i].number) return false;
    if (!shape.registers[i].taken) continue;
    r = f;
    if (f.shift == RegisterField::nowhere) continue;
    const u8 bits = u8((t.bytes[f.at] >> f.shift) & 7);
    if (f.at >= t.size || (bits != f.number && bits != (f.number ^ 7))) return false;
    t.bytes[f.at] ^= u8(f.number << f.shift);
  }
  return true;
}

LineCache::TakenOut LineCache::taken_out(std::string_view name) {
  if (name.empty()) return {};
  const SymbolId id = name == global_offset_table ? no_symbol : program().symbols.find(name);
  return {true, id, program().sources.loc_of(name.data()), 0};
}

LineCache::TakenOut LineCache::taken_out(const ShapeSymbol& symbol) {
  if (!symbol.handle) return {};
  return {true, symbol.id, program().sources.statement_loc(), symbol.constant};
}

/// The distance to a local label goes into the field as it is.
static bool is_near(const Program& program, const SymbolTemplate& t) {
  if (program.is_coff || program.info.relocations.by_function || t.modifier || t.field.kind < first_target_kind)
    return false;
  const FixupInfo info = program.target.fixup_info(t.field.kind);
  return info.pcrel && !info.aligned &&
         program.target.may_resolve({.kind = t.field.kind,
                                     .pcrel = true,
                                     .has_symbol = true,
                                     .local = true,
                                     .format = program.options.target.format,
                                     .gnu = program.profile.gnu_target,
                                     .relax = program.options.target.relax_relocations});
}

/// What the template knows of the symbol in it; false if what was added for it is nothing that can be repeated.
bool LineCache::learn_symbol(SymbolTemplate& t, const TakenOut& symbol) {
  const u64 more_fixups = out_.current->fixups.size() - unknown_.fixups;
  u64 more_fragments = out_.current->fragments.size() - unknown_.fragments;
  if (more_fragments && out_.current->fragments.back().kind == FragmentKind::grown) --more_fragments;
  if (more_fixups + more_fragments != (symbol.any ? 1 : 0)) return false;
  const u64 bytes = out_.current->size - unknown_.size;
  if (!symbol.any) return bytes != 0;
  if (symbol.id == no_symbol || program().symbols[symbol.id].kind > SymbolKind::label) return false;
  SourceLoc loc;
  SymbolId add, sub;
  if (more_fragments) {
    const Fragment& f = out_.current->fragments.back();
    if (f.kind != FragmentKind::insn || bytes) return false;
    const InsnFragment& insn = f.as<InsnFragment>();
    add = insn.target, sub = no_symbol, loc = f.loc;
    t.is_branch = true;
    t.field.kind = insn.form;
    t.constant = insn.constant;
    t.modifier = insn.modifier;
  } else {
    const Fixup& f = out_.current->fixups.back();
    if (f.pos < unknown_.size || f.pos - unknown_.size > bytes) return false;
    add = f.add, sub = f.sub, loc = f.loc;
    t.constant = f.addend;
    t.modifier = f.modifier;
    t.field = {f.kind, u8(f.pos - unknown_.size), 0, out_.fixup_lists};
  }
  const i64 where = i64(loc) - i64(symbol.loc);
  if (add != symbol.id || sub != no_symbol || where != i8(where)) return false;
  t.is_near = !more_fragments && is_near(program(), t);
  t.constant = i64(u64(t.constant) - u64(symbol.constant));
  t.where = i8(where);
  t.has_symbol = true;
  return true;
}

bool WordTemplate::hold(u32 of, const WordPieces& pieces) {
  u64 fields_of = 0;
  for (unsigned i = 0; i < pieces.register_count; ++i)
    for (const u8 bit : fields.registers[i].bit)
      fields_of |= u64(std::bit_ceil(fields.registers[i].max + 1u) - 1) << bit;
  for (unsigned i = 0; i < pieces.number_count; ++i)
    for (const WordFields::Part& part : fields.numbers[i].parts) fields_of |= ((u64(1) << part.width) - 1) << part.bit;
  word = of & ~u32(fields_of);
  u32 again;
  return put(pieces, again) && again == of;
}

bool LineCache::make_template(InstructionTemplate& t, const InstructionShape& shape, const TakenOut& symbol) {
  if (!learn_symbol(t, symbol)) return false;
  t.size = u8(out_.current->size - unknown_.size);
  if (t.size) std::memcpy(t.bytes, out_.current->data + unknown_.size, t.size);
  return hold_operands(t, shape, *program().target.instruction_fields());
}

void LineCache::learn_shape(const InstructionShape& shape) {
  InstructionTemplate t = {};
  if (!make_template(t, shape, taken_out(shape.name))) return;
  if (InstructionTemplate* const made = shapes_.instructions.put(shape.key)) *made = t;
}

bool LineCache::make_template(WordTemplate& t, const WordPieces& pieces, const TakenOut& symbol) {
  if (!learn_symbol(t, symbol)) return false;
  const u64 size = out_.current->size - unknown_.size;
  t.fields = program().target.word_fields(pieces);
  t.block = out_.block;
  if (!t.fields.known || size != t.fields.size) return false;
  u32 word = 0;
  for (u64 i = 0; i < size; ++i) word |= u32(out_.current->data[unknown_.size + i]) << (8 * i);
  if (t.is_branch && t.fields.form_holds_register) {
    word = pieces.registers[0].number;
    t.field.kind = u16(t.field.kind - word);
  }
  return t.hold(t.in_order(word), pieces);
}

void LineCache::learn_shape(const WordShape& shape) {
  WordTemplate t = {};
  if (!make_template(t, shape.pieces, taken_out(shape.name))) return;
  if (WordTemplate* const made = shapes_.words.put(shape.key)) *made = t;
}

/// Longer texts cannot be told apart by a template.
static bool has_long_text(std::span<const xas_arg> args) {
  return std::ranges::any_of(args, [](const xas_arg& a) { return a.text && !short_text(a.text); });
}

template <class Template, class Shape, class Pieces>
void LineCache::learn_typed(TypedTemplates<Template>& table, u32 mnemonic, std::span<const xas_arg> args,
                            const Shape& shape, const Pieces& pieces, u32 meanings) {
  if (!unknown_.text || meanings || !is_repeatable() || has_long_text(args)) return;
  typename Template::Line t = {};
  if (!make_template(t, pieces, taken_out(shape.symbol))) return;
  if (Template* const made = table.put(program().info.lines.registers, mnemonic, args))
    *made = {t, mnemonic, args, shape};
}

void LineCache::learn_values(u32 mnemonic, std::span<const xas_arg> args, const TypedWordShape& shape, u32 meanings) {
  learn_typed(shapes_.typed_words, mnemonic, args, shape, shape.pieces, meanings);
}

void LineCache::learn_values(u32 mnemonic, std::span<const xas_arg> args, const TypedBytesShape& shape, u32 meanings) {
  learn_typed(shapes_.typed_bytes, mnemonic, args, shape, shape.line, meanings);
}

void LineCache::learn_exact_line(u64 size) {
  if (FinalBytes* const made = exact_lines_.put(unknown_.exact.key)) {
    made->size = u8(out_.current->size - size);
    made->block = out_.block;
    std::memcpy(made->bytes, out_.current->data + size, made->size);
  }
}

/// Nothing but its bytes has to be put in place, now and later on.
bool LineCache::is_all_bytes(const WordTemplate& t) const {
  return !t.fields.alone || (t.fields.size == 2 && !program().lines.wants_pieces);
}

/// From the template of the shape of the unknown line. False if there is none, or it is not good for this one.
template <bool in_block, class Shape, class Templates>
inline bool LineCache::take_shape(const Shape& shape, const Templates& table, const char* text) {
  const u64 size = out_.current->size;
  const auto* const known = table.find(shape.key);
  if (!known || !put_together(*known, shape, shape.name, text)) return false;
  if constexpr (in_block) out_.block = known->block;
  if (unknown_.is_short && shape.name.empty() && is_all_bytes(*known)) learn_exact_line(size);
  return true;
}

template <bool in_block>
[[gnu::always_inline]] inline const char* LineCache::known_instruction(const char* text) {
  unknown_.text = nullptr;
  ExactLine& line = unknown_.exact;
  bool is_short = line.read(text);
  if constexpr (in_block) is_short = is_short && line.add_block(out_.block);
  unknown_.is_short = is_short;
  if (is_short) {
    if (const FinalBytes* known = exact_lines_.find(line.key); known && !out_.current->nobits) {
      if (out_.mapping < Mapping::code) [[unlikely]]
        out_.map_code();
      out_.out = out_.current->reserve(2 * Emitter::max_instruction);
      if (program().lines.pending) {
        program().sources.statement = text;  // -g asks for its line
        program().lines.before_instruction(out_);
      }
      std::memcpy(out_.out, known->bytes, FinalBytes::max_bytes);
      out_.advance(known->size);
      out_.current->has_instructions = true;
      out_.block = known->block;
      return text + line.size;
    }
  }

  if (calls_macro(text)) return nullptr;
  unknown_.shaped = Shaped::no;
  if (!out_.current->nobits) {
    const LineText here{text, program().sources.current->end, program().chars.wide_names};
    if (!program().info.lines.words) {
      InstructionShape& shape = unknown_.shape;
      if (program().target.instruction_shape(here, shape)) {
        if (take_shape<false>(shape, shapes_.instructions, text)) return shape.end;
        unknown_.shaped = Shaped::bytes;
      }
    } else if (!out_.has_register_aliases) {
      WordShape& shape = unknown_.word_shape;
      if (program().target.word_shape(here, shape) && (!in_block || block_in_key(shape.key, out_.block))) {
        if (take_shape<in_block>(shape, shapes_.words, text)) return shape.end;
        unknown_.shaped = Shaped::words;
      }
    }
  }
  if (!is_short && unknown_.shaped == Shaped::no) return nullptr;
  begin_unknown(text);
  return nullptr;
}

const char* LineCache::instruction_line_in_block(const char* text) {
  if (!out_.bundles.log2 && out_.block != Emitter::other_block) return known_instruction<true>(text);
  unknown_.text = nullptr;
  return nullptr;
}

const char* LineCache::instruction_line(const char* text) {
  if (out_.bundles.log2 || out_.block) [[unlikely]]
    return instruction_line_in_block(text);
  return known_instruction<false>(text);
}

void LineCache::begin_unknown(const char* text) {
  unknown_.text = text;
  unknown_.where = out_.current;
  unknown_.mapped = out_.mapping >= Mapping::code;
  unknown_.size = out_.current->size;
  unknown_.fragments = out_.current->fragments.size();
  unknown_.fixups = out_.current->fixups.size();
  unknown_.messages = program().diags.list().size();
  unknown_.rows = program().lines.rows.size();
}

void LineCache::begin_values() {
  unknown_.text = nullptr;
  if (out_.bundles.log2 || out_.block || out_.reserved.watching || out_.current->nobits) return;
  begin_unknown(program().sources.statement);
}

}  // namespace xas
