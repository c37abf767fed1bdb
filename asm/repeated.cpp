// Instructions that have stood before: letter by letter (asm/instruction_memo.h), or but for numbers, registers and a
// name (asm/instruction_shape.h, asm/word_shape.h). All others are read, and remembered if they can be.
#include "asm/assembler.h"

namespace xas {

inline Assembler::BeforeInstruction Assembler::before_instruction() const {
  return {current,
          mapping >= Mapping::code,
          current->size,
          current->flexes.size(),
          current->fixups.size(),
          diags.list().size(),
          instructions_read,
          meanings_read};
}

/// Reads the line at `text`, behind which stands `next`. False if it was anything but one instruction that comes to the
/// same wherever it stands.
bool Assembler::read_alone(const BeforeInstruction& before, const char* text, const char* next) {
  statement();
  end_statement();
  const bool alone = instructions_read == before.instructions + 1 && statement_start == text && p == next;
  return alone && before.mapped && current == before.where &&
         current->size - before.size <= RememberedInstruction::max_bytes && current->data &&
         diags.list().size() == before.said && target.is_context_free();
}

void Assembler::remember_line(const InstructionLine& line, u64 size) {
  if (RememberedInstruction* const made = memo.put(line.key)) {
    made->size = u8(current->size - size);
    std::memcpy(made->bytes, current->data + size, made->size);
  }
}

/// False if the name may be anything but a label or not yet defined.
inline bool Assembler::template_symbol(const SymbolTemplate& t, std::string_view name, TemplateSymbol& found) {
  if (!t.has_symbol) return true;
  found.id = symbols.intern(name.data(), u32(name.size()));
  Symbol& s = symbols[found.id];
  if (s.kind > SymbolKind::label) return false;
  found.is_known = s.loc != 0;
  s.flags |= symbol_referenced;
  if (!found.is_known) s.loc = loc_of(name.data());
  return true;
}

inline void Assembler::begin_template(const char* text, const char* end) {
  out = current->reserve(2 * max_instruction);
  statement_start = text;
  if (lines.pending) lines.before_instruction(*this);
  current_section().has_instructions = true;
  p = end + 1;
}

/// What `fixup` does, of values in registers.
inline void Assembler::template_fixup(const SymbolTemplate& t, const TemplateSymbol& s, const char* where) {
  fixup_lists_ = t.field.lists;
  if (fixup_lists_ == LabelListing::always || (fixup_lists_ == LabelListing::known && s.is_known)) note_temporary(s.id);
  add_fixup(u32(current->size + t.field.at), t.field.kind, s.id, no_symbol, t.constant, t.modifier, loc_of(where));
}

bool Assembler::from_template(const WordTemplate& t, const WordShape& shape, const char* text) {
  u32 word;
  if (!t.put(shape.pieces, word)) return false;
  if (mapping < Mapping::code) [[unlikely]] map_code();  // its mark comes before the symbol
  TemplateSymbol symbol;
  if (!template_symbol(t, shape.name, symbol)) return false;
  begin_template(text, shape.end);
  out[0] = u8(word), out[1] = u8(word >> 8), out[2] = u8(word >> 16), out[3] = u8(word >> 24);
  if (t.has_symbol) template_fixup(t, symbol, shape.name.data() + t.where);
  advance(sizeof word);
  return true;
}

bool Assembler::from_template(const InstructionTemplate& t, const InstructionShape& shape, const char* text) {
  for (u32 i = 0; i < shape.register_count; ++i)
    if (!(t.registers[i].alike >> shape.registers[i].number & 1)) return false;
  TemplateSymbol symbol;
  if (!template_symbol(t, shape.name, symbol)) return false;
  begin_template(text, shape.end);
  const char* const where = shape.name.data() + t.where;
  if (t.is_branch) {
    remember_branch(t, shape, text);
    relaxable(t.field.kind, Value{.constant = t.constant, .add = symbol.id, .modifier = t.modifier}, where);
    return true;
  }
  std::memcpy(out, t.bytes, InstructionTemplate::max_bytes);
  const auto put = [&](u8 at, u8 bytes, i32 number) {
    const i64 v = number;
    if (bytes == 1)
      out[at] = u8(v);
    else if (bytes == 4)
      std::memcpy(out + at, &number, 4);
    else if (bytes == 2)
      out[at] = u8(v), out[at + 1] = u8(v >> 8);
    else
      for (u8 i = 0; i < bytes; ++i) out[at + i] = u8(v >> (8 * i));
  };
  for (u32 i = 0; i < shape.register_count; ++i)
    out[t.registers[i].at] ^= u8(shape.registers[i].number << t.registers[i].shift);
  if (shape.has_displacement) put(t.displacement_at, t.displacement_size, shape.displacement);
  if (shape.has_immediate) put(t.immediate_at, t.immediate_size, shape.immediate);
  if (t.has_symbol) template_fixup(t, symbol, where);
  advance(t.size);
  return true;
}

/// The next of these is a plain line, if its line is `mnemonic name`.
void Assembler::remember_branch(const InstructionTemplate& t, const InstructionShape& shape, const char* text) {
  u64 words[2];
  u32 size;
  KnownBranch* const known = known_branches_.entry(text, words, size);
  const char* const name_end = shape.name.data() + shape.name.size();
  if (!known || t.constant || t.modifier || t.where || text + size + 1 != shape.name.data() || name_end != shape.end)
    return;
  *known = {{words[0], words[1]}, templates.generation(), t.field.kind, u8(size)};
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

/// What the template knows of the name in it; false if what was added for it is nothing that can be repeated.
bool Assembler::remember_symbol(SymbolTemplate& t, std::string_view name, const BeforeInstruction& before) {
  const u64 more_fixups = current->fixups.size() - before.fixups, more_flexes = current->flexes.size() - before.flexes;
  if (more_fixups + more_flexes != (name.empty() ? 0 : 1)) return false;
  const u64 bytes = current->size - before.size;
  if (name.empty()) return bytes != 0;
  constexpr std::string_view got = "_GLOBAL_OFFSET_TABLE_";  // its place in the instruction counts too
  const SymbolId id = name == got ? no_symbol : symbols.find(name);
  if (id == no_symbol || symbols[id].kind > SymbolKind::label) return false;
  SourceLoc loc;
  SymbolId add, sub;
  if (more_flexes) {
    const Flex& f = current->flexes.back();
    if (f.kind != FlexKind::insn || bytes) return false;
    add = f.add, sub = f.sub, loc = f.loc;
    t.is_branch = true;
    t.field.kind = f.form;
    t.constant = f.constant;
    t.modifier = u16(f.fill);
  } else {
    const Fixup& f = current->fixups.back();
    if (f.pos < before.size || f.pos - before.size > bytes) return false;
    add = f.add, sub = f.sub, loc = f.loc;
    t.constant = f.addend;
    t.modifier = f.modifier;
    t.field = {f.kind, u8(f.pos - before.size), 0, fixup_lists_};
  }
  const i64 where = i64(loc) - i64(loc_of(name.data()));
  if (add != id || sub != no_symbol || where != i8(where)) return false;
  t.where = i8(where);
  t.has_symbol = true;
  return true;
}

void Assembler::remember_shape(const InstructionShape& shape, const BeforeInstruction& before) {
  InstructionTemplate t = {};
  if (!remember_symbol(t, shape.name, before)) return;
  t.size = u8(current->size - before.size);
  if (t.size) std::memcpy(t.bytes, current->data + before.size, t.size);
  if (hold_operands(t, shape, *target.instruction_fields()))
    if (InstructionTemplate* const made = templates.put(shape.key)) *made = t;
}

void Assembler::remember_shape(const WordShape& shape, const BeforeInstruction& before) {
  WordTemplate t = {};
  if (!remember_symbol(t, shape.name, before) || current->size - before.size != sizeof t.word) return;
  const u8* const b = current->data + before.size;
  const u32 word = u32(b[0]) | u32(b[1]) << 8 | u32(b[2]) << 16 | u32(b[3]) << 24;
  t.fields = target.word_fields(shape.pieces);
  if (t.fields.known && t.hold(word, shape.pieces))
    if (WordTemplate* const made = word_templates.put(shape.key)) *made = t;
}

/// The line at `text`, from a template or as one is made of it.
template <class Shape, class Templates>
inline bool Assembler::repeated_shape(const Shape& shape, bool shaped, Templates& table, const char* text,
                                      const InstructionLine& line, bool is_short) {
  if (shaped) {
    const u64 size = current->size;
    const auto* const known = table.find(shape.key);
    if (known && from_template(*known, shape, text)) {
      if (is_short && shape.name.empty()) remember_line(line, size);
      return true;
    }
  }
  if (!is_short && !shaped) return false;
  const BeforeInstruction before = before_instruction();
  if (!read_alone(before, text, is_short ? text + line.size + 1 : shape.end + 1)) return true;
  // Final bytes, whatever names mean.
  if (is_short && meanings_read == before.meanings && current->size > before.size &&
      current->flexes.size() == before.flexes && current->fixups.size() == before.fixups)
    remember_line(line, before.size);
  // Nothing but the name that was taken out may mean something.
  const u32 names = shaped && !shape.name.empty() ? 1 : 0;
  if (shaped && meanings_read == before.meanings + names) remember_shape(shape, before);
  return true;
}

bool Assembler::repeated_instruction(const char* text) {
  if (bundles.log2 || in_block) [[unlikely]]
    return false;
  InstructionLine line;
  const bool is_short = line.read(text);
  if (is_short) {
    if (const RememberedInstruction* known = memo.find(line.key); known && !current->nobits) {
      if (mapping < Mapping::code) [[unlikely]]
        map_code();
      out = current->reserve(2 * max_instruction);
      if (lines.pending) {
        statement_start = text;  // -g asks for its line
        lines.before_instruction(*this);
      }
      std::memcpy(out, known->bytes, RememberedInstruction::max_bytes);
      advance(known->size);
      current_section().has_instructions = true;
      p = text + line.size + 1;
      return true;
    }
  }

  if (const ShapeRegisters* const groups = target.shape_registers()) {
    InstructionShape shape;
    const bool shaped = !current->nobits && shape.read(chars, *groups, text, source->end);
    return repeated_shape(shape, shaped, templates, text, line, is_short);
  }
  WordShape shape;
  const bool shaped =
      !current->nobits && !has_register_aliases && target.word_shapes() && shape.read(chars, text, source->end);
  return repeated_shape(shape, shaped, word_templates, text, line, is_short);
}

}  // namespace xas
