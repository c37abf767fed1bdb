// SPDX-License-Identifier: Apache-2.0
// Reader: text to verbs. Statements, conditionals, macros and the line cache; what a statement says goes to the
// Streamer.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "asm/program/streamer.h"
#include "asm/read/cache/line_cache.h"
#include "asm/read/cond.h"
#include "asm/read/macro.h"

namespace xas {

/// The right side of `.eqv name, expression`
struct Equation {
  const SourceBuffer* source;
  const char* text;
  bool has_dot;  ///< what is listed is its value at the end
};

class Reader final : public OperandText {
 public:
  Reader(const Options& options, Target& target);

  Streamer out;
  Program& program() { return out.program; }
  const Program& program() const { return out.program; }

  const char* p = nullptr;    ///< the cursor: next character of the current statement
  bool at_line_start = true;  ///< the next statement is the first of its line
  bool finished = false;      ///< .end was seen
  bool aborted = false;       ///< .abort was, and Profile::abort_stops
  bool in_asm_function = false;  ///< between .asmfunc and .endasmfunc of Code Composer Studio's syntax
  Conditionals conditionals;
  Macros macros;
  std::string printed;              ///< by .print: for standard output
  std::vector<std::string> inputs;  ///< every file that was opened, in order (for --MD)
  u16 reference_flag = symbol_referenced;  ///< of names in expressions; 0 where a reference does not list the symbol
  const char* real_number = nullptr;  ///< the last number in an expression that is a double's bits
  std::unordered_map<SymbolId, Equation> equations;

  /// Assembles the text of a buffer and all it includes.
  void read(const SourceBuffer& buffer);
  /// The same of a piece of Sources::add_piece.
  void read_piece(const SourceBuffer& buffer);
  /// The same by statements: makes ready to read the buffer of Sources::set_text.
  void begin(const SourceBuffer& buffer);
  bool read_statement();  ///< of `begin`; false behind the last one
  void statement();       ///< one statement, up to its end
  void typed_instruction(const TypedInstruction& instruction);
  void end_statement();   ///< moves over the end; reports what does not belong there
  void line_comment();    ///< a comment that is a whole line, perhaps a line marker; p goes to its end
  void skip_statement();  ///< moves p to the end of the statement, over strings and comments
  /// A line marker: the line that begins at `next` is called `line` of `file`.
  void mark_line(const char* next, u32 line, std::string file);
  /// Goes on in another buffer; where the current one goes on is p. The buffer starts with the end of a statement.
  void enter(const SourceBuffer& buffer, SourceKind kind);
  /// Back to where the current buffer was entered from, whatever is left of it.
  void leave();
  /// The current buffer is at its end: the next round of a loop, or back. False if that is the end of `read`.
  bool next_source(std::size_t depth);
  /// Opens a file for .include or .incbin: as named, then in the include directories. Null with the reason.
  const SourceBuffer* find_included(const std::string& name, std::string& error);

  // Places and diagnostics

  SourceLoc here() const { return loc_of(p); }
  SourceLoc loc_of(const char* at) const { return out.program.sources.loc_of(at); }
  [[gnu::cold]] void error(const char* where, std::string message) { out.error(where, std::move(message)); }
  [[gnu::cold]] void warning(const char* where, std::string message) { out.warning(where, std::move(message)); }
  [[gnu::cold]] void note(const char* where, std::string message) { out.note(where, std::move(message)); }
  /// Of the current statement.
  [[gnu::cold]] void error(std::string message) { error(program().sources.statement, std::move(message)); }
  [[gnu::cold]] void warning(std::string message) { warning(program().sources.statement, std::move(message)); }
  [[gnu::cold]] void error_here(std::string message) { error(p, std::move(message)); }
  /// At `where` stands something else than `what`; how the statement's directive is written is told, too (unknown.cpp).
  [[gnu::cold]] void expected(const char* where, std::string_view what);
  [[gnu::cold]] void expected(std::string_view what) { expected(p, what); }

  // Values at the cursor

  bool expression_value(Value& value) { return expression(p, value); }
  /// A constant known now; reports an error that says `what` had to be constant otherwise.
  bool absolute(i64& result, std::string_view what);
  bool absolute_of(Value value, i64& result, std::string_view what, SourceLoc loc);
  /// What the text of `.eqv id, text` comes to here.
  bool equation_value(SymbolId id, Value& value);

  // OperandText

  bool expression(const char*& p, Value& value) override;
  bool term(const char*& p, Value& value) override;
  bool apply(ExprOp op, Value& v, const char* where) override;
  bool apply(ExprOp op, Value& l, const Value& r, const char* where) override;
  int register_alias(std::string_view name) override;
  bool bind_register(std::string_view name, int number, const char* where) override;
  bool mark_symbol(const char*& p, u8 other) override;

  LineCache line_cache{out, macros, conditionals};
  ReadCounts counts;

 private:
  bool begins_line(const char* at) const;
  bool assignment(const Name& name, const char* after);
  void warn_of_multibyte(const SourceBuffer& buffer);
  bool target_directive(const Name& name);
  void instruction(const Name& name);
  void first_instruction(const Name& name, const char* operands, bool counted);
  void read_instruction(const Name& name, const char* operands, bool counted);
  void reserve_names(std::size_t text);
  void read_on();
  void read_to_end();
  template <class Take>
  bool read_some(const Take& take);
  const TypedInstruction* typed_ = nullptr;  ///< the instruction that has no text; null: it has
  std::size_t names_before_ = 0;  ///< read_on: symbols when the last part was begun
  bool names_reserved_ = false;   ///< there is room for the names of the whole text
  void handle(const Directive& directive);
  bool call(const MacroCall& call);
  void bundled_instruction(const Name& name);
  void reserved_instruction(const Name& name);
  /// A name that is a label or undefined so far, or stands for a number, which is added; q moves behind it.
  bool plain_name(const char*& q, SymbolId& id, i64& number);

  u8 absolute_bytes_[2 * Emitter::max_instruction];  ///< what instructions in a .struct would be
};

struct Directive;
/// A directive's handler: the cursor `reader.p` stands behind the name and the blanks after it; the handler reads its
/// operands and leaves the cursor behind them (the caller reports what is left on the statement). `arg` is from the
/// table, so that one handler serves several names.
using DirectiveHandler = void (*)(Reader& reader, u32 arg);

struct Directive {
  std::string_view name;  ///< lower case, with the dot
  DirectiveHandler handler;
  u32 arg = 0;
};

}  // namespace xas
