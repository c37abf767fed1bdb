// Instructions that have stood before: letter by letter (asm/instruction_memo.h), or but for numbers, registers and a
// name (asm/instruction_shape.h). All others are read, and remembered if they can be.
#include "asm/assembler.h"

namespace xas {

bool Assembler::repeated_instruction(const char* text) {
  if (bundles.log2) [[unlikely]] return false;
  InstructionLine line;
  const bool is_short = line.read(text);
  if (is_short) {
    if (const RememberedInstruction* known = memo.find(line.key); known && !current->nobits) {
      if (mapping < Mapping::code) [[unlikely]] map_code();
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

  const Subsection* const where = current;
  const bool mapped = mapping >= Mapping::code;  // or the line's first bytes could be padding
  const u64 size = current->size;
  InstructionShape shape;
  const ShapeRegisters* const groups = current->nobits ? nullptr : target.shape_registers();
  const bool shaped = groups && shape.read(chars, *groups, text, source->end);
  if (shaped) {
    const InstructionTemplate* known = templates.find(shape.key);
    if (known && from_template(*known, shape, text)) {
      if (is_short && shape.name.empty()) remember_line(line, size);
      return true;
    }
  }
  if (!is_short && !shaped) return false;

  const std::size_t flexes = current->flexes.size(), fixups = current->fixups.size();
  const std::size_t said = diags.list().size();
  const u32 instructions = instructions_read, meanings = meanings_read;
  const char* const next = is_short ? text + line.size + 1 : shape.end + 1;
  statement();
  end_statement();
  const bool alone = instructions_read == instructions + 1 && statement_start == text && p == next;
  if (!alone || !mapped || current != where || current->size - size > RememberedInstruction::max_bytes ||
      !current->data || diags.list().size() != said || !target.is_context_free()) {
    return true;
  }
  if (is_short && meanings_read == meanings && current->size > size && current->flexes.size() == flexes &&
      current->fixups.size() == fixups) {
    remember_line(line, size);
  }
  // Nothing but the name that was taken out may mean something.
  const u32 names = shaped && !shape.name.empty() ? 1 : 0;
  if (shaped && target.shape_registers() && meanings_read == meanings + names)
    remember_shape(shape, size, fixups, flexes);
  return true;
}

void Assembler::remember_line(const InstructionLine& line, u64 size) {
  if (RememberedInstruction* const made = memo.put(line.key)) {
    made->size = u8(current->size - size);
    std::memcpy(made->bytes, current->data + size, made->size);
  }
}

bool Assembler::from_template(const InstructionTemplate& t, const InstructionShape& shape, const char* text) {
  for (u32 i = 0; i < shape.register_count; ++i)
    if (!(t.registers[i].alike >> shape.registers[i].number & 1)) return false;
  SymbolId id = no_symbol;
  bool is_known = false;
  if (t.has_symbol) {
    id = symbols.intern(shape.name.data(), u32(shape.name.size()));
    Symbol& s = symbols[id];
    if (s.kind > SymbolKind::label) return false;
    is_known = s.loc != 0;
    s.flags |= symbol_referenced;
    if (!is_known) s.loc = loc_of(shape.name.data());
  }
  out = current->reserve(2 * max_instruction);
  statement_start = text;
  if (lines.pending) lines.before_instruction(*this);
  current_section().has_instructions = true;
  p = shape.end + 1;
  const char* const where = shape.name.data() + t.where;
  if (t.is_branch) {
    remember_branch(t, shape, text);
    relaxable(t.field.kind, Value{.constant = t.constant, .add = id, .modifier = t.modifier}, where);
    return true;
  }
  std::memcpy(out, t.bytes, InstructionTemplate::max_bytes);
  const auto put = [&](u8 at, u8 bytes, i32 number) {
    const i64 v = number;
    if (bytes == 1) out[at] = u8(v);
    else if (bytes == 4) std::memcpy(out + at, &number, 4);
    else if (bytes == 2) out[at] = u8(v), out[at + 1] = u8(v >> 8);
    else for (u8 i = 0; i < bytes; ++i) out[at + i] = u8(v >> (8 * i));
  };
  for (u32 i = 0; i < shape.register_count; ++i)
    out[t.registers[i].at] ^= u8(shape.registers[i].number << t.registers[i].shift);
  if (shape.has_displacement) put(t.displacement_at, t.displacement_size, shape.displacement);
  if (shape.has_immediate) put(t.immediate_at, t.immediate_size, shape.immediate);
  if (t.has_symbol) {  // what `fixup` does, of values in registers
    fixup_lists_ = t.field.lists;
    if (fixup_lists_ == LabelListing::always || (fixup_lists_ == LabelListing::known && is_known)) note_temporary(id);
    add_fixup(u32(current->size + t.field.at), t.field.kind, id, no_symbol, t.constant, t.modifier, loc_of(where));
  }
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

void Assembler::remember_shape(const InstructionShape& shape, u64 size, u64 fixups, u64 flexes) {
  const u64 more_fixups = current->fixups.size() - fixups, more_flexes = current->flexes.size() - flexes;
  if (more_fixups + more_flexes != (shape.name.empty() ? 0 : 1)) return;
  InstructionTemplate t = {};
  t.size = u8(current->size - size);
  if (t.size) std::memcpy(t.bytes, current->data + size, t.size);

  if (!shape.name.empty()) {
    constexpr std::string_view got = "_GLOBAL_OFFSET_TABLE_";  // its place in the instruction counts too
    const SymbolId id = shape.name == got ? no_symbol : symbols.find(shape.name);
    if (id == no_symbol || symbols[id].kind > SymbolKind::label) return;
    SourceLoc loc;
    SymbolId add, sub;
    if (more_flexes) {
      const Flex& f = current->flexes.back();
      if (f.kind != FlexKind::insn || t.size) return;
      add = f.add, sub = f.sub, loc = f.loc;
      t.is_branch = true;
      t.field.kind = f.form;
      t.constant = f.constant;
      t.modifier = u16(f.fill);
    } else {
      const Fixup& f = current->fixups.back();
      if (f.pos < size || f.pos - size > t.size) return;
      add = f.add, sub = f.sub, loc = f.loc;
      t.constant = f.addend;
      t.modifier = f.modifier;
      t.field = {f.kind, u8(f.pos - size), 0, fixup_lists_};
    }
    const i64 where = i64(loc) - i64(loc_of(shape.name.data()));
    if (add != id || sub != no_symbol || where != i8(where)) return;
    t.where = i8(where);
    t.has_symbol = true;
  } else if (t.size == 0) {
    return;
  }

  if (hold_operands(t, shape, *target.instruction_fields()))
    if (InstructionTemplate* const made = templates.put(shape.key)) *made = t;
}

}  // namespace xas
