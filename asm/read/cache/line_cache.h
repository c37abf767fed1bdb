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
// which then calls `instructions.learn` with what it has counted meanwhile. A line is learnt only if it was one
// instruction and nothing else, and came to bytes that are the same wherever it stands. This holds until a directive
// changes what instructions mean, and then the reader calls `instructions.forget`.
#pragma once

#include "asm/program/streamer.h"
#include "asm/read/cache/known_instructions.h"
#include "asm/read/cache/known_spelling.h"
#include "asm/read/cond.h"

namespace xas {

class LineCache {
 public:
  LineCache(Streamer& out, const Macros& macros, Conditionals& conditionals)
      : instructions(out, calls_), out_(out), macros_(macros), conditionals_(conditionals), calls_(out, macros) {}

  KnownInstructions instructions;

  struct Answer {
    enum Kind : u8 {
      taken,           ///< one line or more; p is the start of the next
      directive,       ///< `handler` reads the line; p stands behind the directive's name
      call,            ///< the reader reads the line at p, which is `call()`
      unknown,         ///< an instruction, perhaps: the reader reads the line at p, and calls `instructions.learn`
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
  MacroCall call() { return calls_.take(); }

  /// There are other macros from here on: each word may mean something else.
  void forget_names() {
    instructions.forget();
    directives_ = {};
  }

 private:
  Program& program() const { return out_.program; }

  Answer take_line(const char*& p, bool takes_directives);
  /// Of a line that `instructions` has not taken.
  Answer::Kind unanswered() const {
    return calls_.any() ? Answer::call : instructions.is_unknown() ? Answer::unknown : Answer::other;
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

  Streamer& out_;
  const Macros& macros_;
  Conditionals& conditionals_;
  MacroCalls calls_;
  KnownDirectives directives_;
};

}  // namespace xas
