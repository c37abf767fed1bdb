// SPDX-License-Identifier: Apache-2.0
// What the words of a document are, line by line and without assembling it: definitions and uses of names, directives,
// mnemonics. It is good enough for names to be found and renamed; what a text means is asked of the assembler.
#pragma once

#include <string_view>
#include <vector>

#include "asm/lsp/text.h"

namespace xas::lsp {

/// How comments begin on a target, besides "/* ... */".
struct Comments {
  std::string_view line;      ///< a character: here and nowhere else in a line; empty: none
  std::string_view anywhere;  ///< the text that begins a comment at any place
};

struct Word {
  enum Role : u8 {
    label,      ///< defined as a place, `name:`
    value,      ///< defined by .set, .equ, `name = ...` and the like
    macro,      ///< defined by .macro
    directive,  ///< with its dot
    mnemonic,   ///< or a call of a macro
    name,       ///< anything else: a symbol, a register, a part of an expression
  } role = name;
  u32 line = 0;
  u32 begin = 0, end = 0;  ///< bytes of the line
  std::string_view text;   ///< borrows from the document

  bool defines() const { return role <= macro; }
};

/// The words of a document, from its beginning.
std::vector<Word> find_words(const Text& text, const Comments& comments);

/// The word at a byte of a line, or that ends there; null if there is none.
const Word* word_at(const std::vector<Word>& words, u32 line, std::size_t column);

/// Where what a word stands for is defined. Of `1f` and `1b` that is the next and the last `1:`.
std::vector<const Word*> definitions(const std::vector<Word>& words, const Word& of);

/// All words that stand for the same, definitions included.
std::vector<const Word*> references(const std::vector<Word>& words, const Word& of);

/// A label of a number, which may be defined again and again.
bool is_numbered(std::string_view name);

}  // namespace xas::lsp
