// SPDX-License-Identifier: Apache-2.0
// Instructions that the line cache knows: exact lines, templates of shapes, and branches by their mnemonic
// (line_cache.h tells of all three). A line that is not known is remembered until it has been read, and then learnt
// (learn.cpp).
#pragma once

#include <utility>

#include "asm/program/streamer.h"
#include "asm/read/cache/known_spelling.h"
#include "asm/read/cache/template.h"
#include "asm/read/cache/typed_templates.h"
#include "asm/read/macro.h"

namespace xas {

/// What the reader counts.
struct ReadCounts {
  u32 instructions = 0;
  u32 meanings = 0;  ///< how often a target asked for what a name or an expression means
};

/// A line that begins with the name of a macro.
struct MacroCall {
  Name name;
  Macro* macro;
};

/// Finds out whether a line calls a macro.
class MacroCalls {
 public:
  MacroCalls(Streamer& out, const Macros& macros) : out_(out), macros_(macros) {}

  /// The line whose first word is at `text` does. It is kept for `take`.
  bool begins(const char* text) { return macros_.any() && finds(text); }
  bool any() const { return call_.macro; }
  MacroCall take() { return std::exchange(call_, {}); }

 private:
  [[gnu::noinline]] bool finds(const char* text);

  Streamer& out_;
  const Macros& macros_;
  MacroCall call_ = {};
};

class KnownInstructions {
 public:
  KnownInstructions(Streamer& out, MacroCalls& calls) : out_(out), calls_(calls) {}

  /// Where the line of the instruction at `text` ends. Null: it `is_unknown`, or calls a macro, or is no matter of the
  /// cache.
  const char* line(const char* text);
  /// The last one was an instruction, perhaps, that is not known.
  bool is_unknown() const { return unknown_.text; }
  /// It has been read, up to p.
  void learn(const char* p, ReadCounts before, ReadCounts after);
  /// What an exact line comes to; null: it has not stood before.
  const FinalBytes* find_exact(const ExactLine& line) const { return exact_lines_.find(line.key); }

  /// A branch by its mnemonic, and its place to go to, which stands at `operand`.
  const KnownBranch* find_branch(const char* text);
  void take_branch(const KnownBranch& known, const char* text, const char* operand, SymbolId to);

  // Instructions of values, which stand at the current statement (Target::typed_shape). What one comes to is found in
  // its template and then put in place, if it may stand there (put_together.h).

  /// An instruction, and its template; null: it is not known.
  template <class Template>
  struct KnownValues {
    const Template* known;
    typename Template::Encoded encoded;
  };
  using KnownWord = KnownValues<TypedWord>;
  using KnownBytes = KnownValues<TypedBytes>;
  template <class Template>
  KnownValues<Template> find_known(u32 mnemonic, std::span<const xas_arg> args) const;
  /// One with a plain template, without a row of the line table.
  void take_plain(const KnownWord& instruction);
  void take_plain(const KnownBytes& instruction);
  /// Any other; false: it may not stand here. `symbol` counts if the template has one.
  bool take_values(const KnownWord& instruction, const ShapeSymbol& symbol);
  bool take_values(const KnownBytes& instruction, const ShapeSymbol& symbol);
  /// The instruction at this place is not known: it is read, and then learn_values is called. The target has been asked
  /// for so many meanings meanwhile.
  void begin_values();
  void learn_values(u32 mnemonic, std::span<const xas_arg> args, const TypedWordShape& shape, u32 meanings);
  void learn_values(u32 mnemonic, std::span<const xas_arg> args, const TypedBytesShape& shape, u32 meanings);

  /// Instructions of values may be put together here.
  bool knows_values() const {
    return !(out_.bundles.log2 | out_.block | out_.reserved.watching | out_.current->nobits) &&
           out_.mapping >= Mapping::code;
  }

  /// What is known of shapes.
  struct KnownShapes {
    InstructionTemplates instructions;
    WordTemplates words;
    TypedTemplates<TypedBytes> typed_bytes;
    TypedTemplates<TypedWord> typed_words;

    void forget() {
      instructions.forget();
      words.forget();
      typed_bytes.forget();
      typed_words.forget();
    }
  };
  /// Goes on with what an assembly with the same options has known at its end.
  void take_over(KnownShapes& known) { std::swap(shapes_, known); }
  /// Hands that over, unless instructions have meant something else meanwhile.
  void hand_over(KnownShapes& known) {
    if (!shapes_.instructions.has_forgotten()) take_over(known);
  }

  /// Instructions may mean something else from here on.
  void forget() {
    exact_lines_.forget();
    shapes_.forget();
  }
  /// No line follows: gives back the memory of what is known.
  void end() {
    exact_lines_ = {};
    shapes_ = {};
  }

 private:
  class Learner;  // learn.cpp

  Program& program() const { return out_.program; }

  const char* line_in_block(const char* text);
  template <bool in_block>
  const char* known_instruction(const char* text);
  /// The symbol of a template that is put to use.
  struct TemplateSymbol {
    SymbolId id = no_symbol;
    bool is_known = false;  ///< it has stood before
    bool by_value = false;  ///< it is a ShapeSymbol
    const char* where = nullptr;
    i64 constant = 0;
  };
  template <bool in_block, class Shape, class Templates>
  bool take_shape(const Shape& shape, const Templates& table, const char* text);
  bool put_together(const InstructionTemplate& t, const InstructionShape& shape, const std::string_view& name,
                    const char* text);
  bool put_together(const WordTemplate& t, const WordShape& shape, const std::string_view& name, const char* text);
  bool begin_word(const WordTemplate& t);
  void end_word(const WordTemplate& t, u32 word, const TemplateSymbol& symbol);
  void end_bytes(const InstructionTemplate& t, const TemplateSymbol& symbol);
  bool template_symbol(const SymbolTemplate& t, std::string_view name, TemplateSymbol& found);
  bool template_symbol(const SymbolTemplate& t, const ShapeSymbol& symbol, TemplateSymbol& found);
  void begin_template(const char* text) {
    out_.out = out_.current->reserve(2 * Emitter::max_instruction);
    program().sources.statement = text;
    instruction_follows();
  }
  /// One that stands at the current statement.
  void instruction_follows() {
    if (program().lines.pending) program().lines.before_instruction(out_);
    out_.current->has_instructions = true;
  }
  /// What `fixup` does, of values in registers.
  [[gnu::always_inline]] void template_fixup(const SymbolTemplate& t, const TemplateSymbol& s) {
    if (t.is_near && s.by_value && put_distance(t, s)) return;
    out_.fixup_lists = t.field.lists;
    if (out_.fixup_lists == LabelListing::always ||
        out_.fixup_lists == (s.is_known ? LabelListing::known : LabelListing::unknown))
      program().note_temporary(s.id);
    out_.add_fixup(u32(out_.current->size + t.field.at), t.field.kind, s.id, no_symbol, s.constant, t.modifier,
                   program().sources.loc_of(s.where));
  }
  /// The distance backwards to a label without a name, which nothing can make another one, over nothing that can grow.
  bool put_distance(const SymbolTemplate& t, const TemplateSymbol& s) {
    const Symbol& label = program().symbols[s.id];
    const Subsection& here = *out_.current;
    if (label.kind != SymbolKind::label || !label.has(symbol_anonymous) || label.where != here.id ||
        label.fragment != here.fragments.size())
      return false;
    const u64 distance = label.value + u64(s.constant) - (here.size + t.field.at);
    return program().target.apply_distance(t.field.kind, i64(distance), out_.out + t.field.at);
  }
  void template_branch(const SymbolTemplate& t, u16 form, const TemplateSymbol& s);
  /// What Streamer::relaxable finds in the end of a branch to what is not defined yet, and may have stood before.
  void branch_forward(bool is_known, const InsnFragment& branch, SourceLoc loc);
  /// Where the instruction begins that is not known.
  void begin_unknown(const char* text);
  void learn_exact_line(u64 size);
  void learn_branch(const SymbolTemplate& t, std::string_view name, const char* text, const char* end, u32 word);

  Streamer& out_;
  MacroCalls& calls_;
  ExactLines exact_lines_;
  KnownShapes shapes_;
  KnownBranches branches_;

  enum class Shaped : u8 { no, bytes, words };
  /// The instruction that was not known, and what it found.
  struct Unknown {
    const char* text = nullptr;
    bool is_short;  ///< `exact` is its key
    Shaped shaped;  ///< so is one of these
    ExactLine exact;
    InstructionShape shape;
    WordShape word_shape;
    const Subsection* where;
    bool mapped;  ///< or its first bytes could be padding
    u64 size;
    std::size_t fragments, fixups, messages, rows;

    const char* end() const { return shaped == Shaped::words ? word_shape.end : shape.end; }
  };
  Unknown unknown_;
};

}  // namespace xas
