// SPDX-License-Identifier: Apache-2.0
// The line cache: takes lines of which it knows what they come to, without reading them.
//
// Compiler output says the same again and again. There are three ways to know a line:
//
//   exact lines       one instruction, letter by letter; half of all instructions have stood before (text_table.h)
//   shapes            one instruction, but for numbers, registers and a name, which are taken out. What the first line
//                     of a shape came to is its template, and the others are put together from it (template.h).
//                     Shapes are made by the target (targets/line_shape.h)
//   known spellings   the first word of the line: data, labels, .loc, branches, and directives that have a handler
//                     (known_spelling.h, known_spelling.cpp, known_directives.cpp)
//
// The reader asks `take` at the start of each line. An instruction that the cache does not know is read by the reader,
// which then calls `learn` with what it has counted meanwhile. A line is learnt only if it was one instruction and
// nothing else, and came to bytes that are the same wherever it stands. This holds until a directive changes what
// instructions mean, and then the reader calls `forget`.
#pragma once

#include <utility>

#include "asm/program/streamer.h"
#include "asm/read/cache/known_spelling.h"
#include "asm/read/cache/template.h"
#include "asm/read/cache/typed_templates.h"
#include "asm/read/cond.h"
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

class LineCache {
 public:
  LineCache(Streamer& out, const Macros& macros, Conditionals& conditionals)
      : out_(out), macros_(macros), conditionals_(conditionals) {}

  struct Answer {
    enum Kind : u8 {
      taken,           ///< one line or more; p is the start of the next
      directive,       ///< `handler` reads the line; p stands behind the directive's name
      call,            ///< the reader reads the line at p, which is `call()`
      unknown,         ///< an instruction, perhaps: the reader reads the line at p, and calls `learn`
      other,           ///< the reader reads the line at p
      no_instruction,  ///< the reader reads the line at p, which is no instruction
    };
    Kind kind;
    const Directive* handler = nullptr;
  };
  /// The lines at p, the start of a line.
  Answer take(const char*& p) {
    const bool may_run = program().chars.is(*p, char_name_start | char_blank);
    // Listings and synthesized frames want to see every line, and MRI mode each statement.
    if (may_run && !program().listing.on && !out_.frame_synthesis && !macros_.mri) {
      const Answer answer = take_lines(p);
      if (answer.kind != Answer::other) [[likely]]
        return answer;
    }
    return take_line(p, !macros_.mri);
  }

  /// One line at p, and no directive.
  Answer take_instruction(const char*& p) { return take_line(p, false); }

  /// Takes all lines from p to end, if they are blank, data that are numbers, and instructions that are known by the
  /// letter, and so come to bytes and to nothing else. False, with nothing done, if they are not.
  bool take_bytes(const char* p, const char* end);

  /// What has been answered `call`.
  MacroCall call() { return std::exchange(call_, {}); }

  /// The line that was unknown has been read, up to p.
  void learn(const char* p, ReadCounts before, ReadCounts after);

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
  /// There are other macros from here on: each word may mean something else.
  void forget_names() {
    forget();
    directives_ = {};
  }

 private:
  Program& program() { return out_.program; }
  const Program& program() const { return out_.program; }

  Answer take_line(const char*& p, bool takes_directives);
  /// The line whose first word is at `text` calls a macro, `call_`.
  bool calls_macro(const char* text) { return macros_.any() && finds_macro(text); }
  [[gnu::noinline]] bool finds_macro(const char* text);
  /// Of a line that instruction_line has not taken.
  Answer::Kind unanswered() const {
    return call_.macro ? Answer::call : unknown_.text ? Answer::unknown : Answer::other;
  }

  // Known spellings (known_spelling.cpp). What takes a line answers where it ends; null: it is not taken.

  Answer take_lines(const char*& at);
  Answer directive_line(const char*& p, const char* text);
  Answer handled(const KnownDirective& known, const char*& p, const char* text);
  void classify(KnownDirective& e) const;
  bool data_fits() const;
  const char* numbered_label_line(const char* p);
  const char* label_line(const char* p, u32 size, SymbolId id);
  const char* loc_line(const char* text, const char* operand, const char* newline);
  const char* codeview_line(const char* text, const char* operand, const char* newline);
  const char* branch_line(const char* text);
  const char* data_line(const KnownDirective& known, const char* operand, const char* newline);
  const char* string_line(const KnownDirective& known, const char* operand, const char* newline);
  const char* label(const char* q, SymbolId& id, u64& number);
  const char* name(const char* q, const char* newline, SymbolId& id, u64& number);
  const char* referenced(const char* q, u32 size, SymbolId& id, u64& number);
  const char* conditional_line(const KnownDirective& known, const char* text, const char* newline);
  const char* cfi_line(const KnownDirective& known, const char* text, const char* newline);
  const char* binding_line(const KnownDirective& known, const char* text, const char* newline);
  const char* assignment_line(const char* text, u32 size, const char* value);
  const char* align_line(const KnownDirective& known, const char* text, const char* newline);
  const char* bytes_line(const char* text, bool takes_data, bool takes_code);

  // Exact lines and shapes (template.cpp)

  /// Where the line of the instruction at `text` ends. Null: it is `unknown_`, or `call_`, or no matter of the cache.
  const char* instruction_line(const char* text);
  const char* instruction_line_in_block(const char* text);
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
  bool is_all_bytes(const WordTemplate& t) const;
  bool is_all_bytes(const InstructionTemplate&) const { return true; }
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
  /// Four bytes, the first one lowest.
  static void put_word(u8* to, u32 bytes) {
    to[0] = u8(bytes), to[1] = u8(bytes >> 8), to[2] = u8(bytes >> 16), to[3] = u8(bytes >> 24);
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
  /// Instructions of values may be put together here.
  bool knows_values() const {
    return !(out_.bundles.log2 | out_.block | out_.reserved.watching | out_.current->nobits) &&
           out_.mapping >= Mapping::code;
  }
  /// Where the instruction begins that is not known.
  void begin_unknown(const char* text);
  /// It came to something that is the same wherever it stands, and nothing was said of it.
  bool is_repeatable() const;
  void learn_exact_line(u64 size);
  void learn_shape(const InstructionShape& shape);
  void learn_shape(const WordShape& shape);
  void learn_branch(const SymbolTemplate& t, std::string_view name, const char* text, const char* end, u32 word);
  /// What was taken out of the unknown instruction.
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
  template <class Template, class Shape, class Pieces>
  void learn_typed(TypedTemplates<Template>& table, u32 mnemonic, std::span<const xas_arg> args, const Shape& shape,
                   const Pieces& pieces, u32 meanings);
  bool learn_symbol(SymbolTemplate& t, const TakenOut& symbol);

  Streamer& out_;
  const Macros& macros_;
  Conditionals& conditionals_;
  MacroCall call_ = {};
  ExactLines exact_lines_;
  KnownShapes shapes_;
  KnownDirectives directives_;
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
