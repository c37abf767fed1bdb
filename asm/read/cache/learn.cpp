// SPDX-License-Identifier: Apache-2.0
// What the line cache (line_cache.h) learns from: an instruction that was not known has been read, and its exact line
// or template is made of what it came to.
#include <algorithm>

#include "asm/read/cache/put_together.h"

namespace xas {

/// Looks at what the unknown instruction came to.
class KnownInstructions::Learner {
 public:
  explicit Learner(KnownInstructions& known) : k_(known) {}

  /// It came to something that is the same wherever it stands, and nothing was said of it.
  bool is_repeatable() const;
  void learn_shape(const InstructionShape& shape);
  void learn_shape(const WordShape& shape);
  template <class Template, class Shape, class Pieces>
  void learn_typed(TypedTemplates<Template>& table, u32 mnemonic, std::span<const xas_arg> args, const Shape& shape,
                   const Pieces& pieces, u32 meanings);

 private:
  /// What was taken out of it.
  struct TakenOut {
    bool any = false;  ///< false: nothing
    SymbolId id = no_symbol;
    SourceLoc loc = 0;
    i64 constant = 0;
  };
  TakenOut taken_out(std::string_view name);
  TakenOut taken_out(const ShapeSymbol& symbol);
  /// False: it is no template for others.
  bool make_template(WordTemplate& t, const WordPieces& pieces, const TakenOut& symbol);
  bool make_template(InstructionTemplate& t, const InstructionShape& shape, const TakenOut& symbol);
  bool learn_symbol(SymbolTemplate& t, const TakenOut& symbol);

  KnownInstructions& k_;
};

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

/// Longer texts cannot be told apart by a template.
static bool has_long_text(std::span<const xas_arg> args) {
  return std::ranges::any_of(args, [](const xas_arg& a) { return a.text && !short_text(a.text); });
}

bool KnownInstructions::Learner::is_repeatable() const {
  const Subsection& s = *k_.out_.current;
  return k_.unknown_.mapped && &s == k_.unknown_.where && s.size - k_.unknown_.size <= FinalBytes::max_bytes &&
         s.data && k_.program().diags.list().size() == k_.unknown_.messages &&
         k_.program().lines.rows.size() <= k_.unknown_.rows + 1 &&               // a prefix may have had one of its own
         k_.program().target.is_context_free() && !k_.program().encodings.on &&  // each is to be seen
         !k_.program().info.syntax.labels_begin_lines;                           // where a line begins says what it is
}

KnownInstructions::Learner::TakenOut KnownInstructions::Learner::taken_out(std::string_view name) {
  if (name.empty()) return {};
  const SymbolId id = name == global_offset_table ? no_symbol : k_.program().symbols.find(name);
  return {true, id, k_.program().sources.loc_of(name.data()), 0};
}

KnownInstructions::Learner::TakenOut KnownInstructions::Learner::taken_out(const ShapeSymbol& symbol) {
  if (!symbol.handle) return {};
  return {true, symbol.id, k_.program().sources.statement_loc(), symbol.constant};
}

/// What the template knows of the symbol in it; false if what was added for it is nothing that can be repeated.
bool KnownInstructions::Learner::learn_symbol(SymbolTemplate& t, const TakenOut& symbol) {
  const u64 more_fixups = k_.out_.current->fixups.size() - k_.unknown_.fixups;
  u64 more_fragments = k_.out_.current->fragments.size() - k_.unknown_.fragments;
  if (more_fragments && k_.out_.current->fragments.back().kind == FragmentKind::grown) --more_fragments;
  if (more_fixups + more_fragments != (symbol.any ? 1 : 0)) return false;
  const u64 bytes = k_.out_.current->size - k_.unknown_.size;
  if (!symbol.any) return bytes != 0;
  if (symbol.id == no_symbol || k_.program().symbols[symbol.id].kind > SymbolKind::label) return false;
  SourceLoc loc;
  SymbolId add, sub;
  if (more_fragments) {
    const Fragment& f = k_.out_.current->fragments.back();
    if (f.kind != FragmentKind::insn || bytes) return false;
    const InsnFragment& insn = f.as<InsnFragment>();
    add = insn.target, sub = no_symbol, loc = f.loc;
    t.is_branch = true;
    t.field.kind = insn.form;
    t.constant = insn.constant;
    t.modifier = insn.modifier;
  } else {
    const Fixup& f = k_.out_.current->fixups.back();
    if (f.pos < k_.unknown_.size || f.pos - k_.unknown_.size > bytes) return false;
    add = f.add, sub = f.sub, loc = f.loc;
    t.constant = f.addend;
    t.modifier = f.modifier;
    t.field = {f.kind, u8(f.pos - k_.unknown_.size), 0, k_.out_.fixup_lists};
  }
  const i64 where = i64(loc) - i64(symbol.loc);
  if (add != symbol.id || sub != no_symbol || where != i8(where)) return false;
  t.is_near = !more_fragments && is_near(k_.program(), t);
  t.constant = i64(u64(t.constant) - u64(symbol.constant));
  t.where = i8(where);
  t.has_symbol = true;
  return true;
}

bool KnownInstructions::Learner::make_template(InstructionTemplate& t, const InstructionShape& shape,
                                               const TakenOut& symbol) {
  if (!learn_symbol(t, symbol)) return false;
  t.size = u8(k_.out_.current->size - k_.unknown_.size);
  if (t.size) std::memcpy(t.bytes, k_.out_.current->data + k_.unknown_.size, t.size);
  return hold_operands(t, shape, *k_.program().target.instruction_fields());
}

void KnownInstructions::Learner::learn_shape(const InstructionShape& shape) {
  InstructionTemplate t = {};
  if (!make_template(t, shape, taken_out(shape.name))) return;
  if (InstructionTemplate* const made = k_.shapes_.instructions.put(shape.key)) *made = t;
}

bool KnownInstructions::Learner::make_template(WordTemplate& t, const WordPieces& pieces, const TakenOut& symbol) {
  if (!learn_symbol(t, symbol)) return false;
  const u64 size = k_.out_.current->size - k_.unknown_.size;
  t.fields = k_.program().target.word_fields(pieces);
  t.block = k_.out_.block;
  if (!t.fields.known || size != t.fields.size) return false;
  u32 word = 0;
  for (u64 i = 0; i < size; ++i) word |= u32(k_.out_.current->data[k_.unknown_.size + i]) << (8 * i);
  if (t.is_branch && t.fields.form_holds_register) {
    word = pieces.registers[0].number;
    t.field.kind = u16(t.field.kind - word);
  }
  return t.hold(t.in_order(word), pieces);
}

void KnownInstructions::Learner::learn_shape(const WordShape& shape) {
  WordTemplate t = {};
  if (!make_template(t, shape.pieces, taken_out(shape.name))) return;
  if (WordTemplate* const made = k_.shapes_.words.put(shape.key)) *made = t;
}

template <class Template, class Shape, class Pieces>
void KnownInstructions::Learner::learn_typed(TypedTemplates<Template>& table, u32 mnemonic,
                                             std::span<const xas_arg> args, const Shape& shape, const Pieces& pieces,
                                             u32 meanings) {
  if (!k_.unknown_.text || meanings || !is_repeatable() || has_long_text(args)) return;
  typename Template::Line t = {};
  if (!make_template(t, pieces, taken_out(shape.symbol))) return;
  if (Template* const made = table.put(k_.program().info.lines.registers, mnemonic, args))
    *made = {t, mnemonic, args, shape};
}

void KnownInstructions::learn_values(u32 mnemonic, std::span<const xas_arg> args, const TypedWordShape& shape,
                                     u32 meanings) {
  Learner(*this).learn_typed(shapes_.typed_words, mnemonic, args, shape, shape.pieces, meanings);
}

void KnownInstructions::learn_values(u32 mnemonic, std::span<const xas_arg> args, const TypedBytesShape& shape,
                                     u32 meanings) {
  Learner(*this).learn_typed(shapes_.typed_bytes, mnemonic, args, shape, shape.line, meanings);
}

void KnownInstructions::learn(const char* p, ReadCounts before, ReadCounts after) {
  const Subsection& s = *out_.current;
  const Unknown& line = unknown_;
  // Nothing but one instruction, all of it in the place where it began, of which nothing was said.
  const char* const next = line.is_short ? line.text + line.exact.size + 1 : line.end() + 1;
  if (after.instructions != before.instructions + 1 || program().sources.statement != line.text || p != next) return;
  Learner learner(*this);
  if (!learner.is_repeatable()) return;
  // Final bytes, whatever names mean. Where line tables want pieces, the shape tells whether it is one.
  const u32 meanings = after.meanings - before.meanings;
  const bool may_be_piece = program().lines.wants_pieces && program().info.code.branches_settle;
  if (line.is_short && meanings == 0 && !may_be_piece && s.size > line.size && s.fragments.size() == line.fragments &&
      s.fixups.size() == line.fixups)
    learn_exact_line(line.size);
  // Nothing but the name that was taken out may mean something.
  switch (line.shaped) {
    case Shaped::no: break;
    case Shaped::bytes:
      if (meanings == !line.shape.name.empty()) learner.learn_shape(line.shape);
      break;
    case Shaped::words:
      if (meanings == !line.word_shape.name.empty()) learner.learn_shape(line.word_shape);
      break;
  }
}

}  // namespace xas
