// SPDX-License-Identifier: Apache-2.0
// What the words of a document are, line by line and without assembling it: definitions and uses of names, directives,
// mnemonics, parameters of macros. It is good enough for names to be found and renamed; what a text means is asked of
// the assembler.
#pragma once

#include <string_view>
#include <vector>

#include "asm/lsp/text.h"

namespace xas::lsp {

/// What texts of a target look like.
struct Syntax {
  std::string_view line_comment;  ///< a character: here and nowhere else in a line; empty: none
  std::string_view comment;       ///< the text that begins a comment at any place; "/* ... */" is one everywhere
  bool dollar_immediates = false;  ///< `$f` in an instruction is f as a number; .intel_syntax and .att_syntax change it
};

struct Word {
  enum Role : u8 {
    label,      ///< defined as a place, `name:`
    value,      ///< defined by .set, .equ, `name = ...` and the like
    macro,      ///< defined by .macro
    parameter,  ///< of a macro or loop, where it is named
    argument,   ///< where a parameter is used: `\x` in the body, `x=1` in a call
    directive,  ///< with its dot
    mnemonic,   ///< or a call of a macro
    name,       ///< anything else: a symbol, a register, a part of an expression
  } role = name;
  u32 line = 0;
  u32 begin = 0, end = 0;  ///< bytes of the line, without quotes
  std::string_view text;   ///< borrows from the document
  u32 scope = 0;           ///< the macro or loop that the parameter is of, by number; of other roles 0
  bool quoted = false;     ///< a symbol as `"any text"`

  bool defines() const { return role <= parameter; }
};

/// The words of a document, from its beginning.
std::vector<Word> find_words(const Text& text, const Syntax& syntax);

/// The word at a byte of a line, or that ends there; null if there is none.
const Word* word_at(const std::vector<Word>& words, u32 line, std::size_t column);

/// Whether two words stand for the same symbol, macro or parameter. Numbered labels are not looked at.
bool stand_for_same(const Word& a, const Word& b);

/// Where what a word stands for is defined. Of `1f` and `1b` that is the next and the last `1:`.
std::vector<const Word*> definitions(const std::vector<Word>& words, const Word& of);

/// All words that stand for the same, definitions included.
std::vector<const Word*> references(const std::vector<Word>& words, const Word& of);

/// "1" of a label `1:` and of its uses `1f` and `1b`; empty of all other words.
std::string_view label_number(const Word& word);

/// A label of a number, which may be defined again and again.
bool is_numbered(std::string_view name);

}  // namespace xas::lsp
