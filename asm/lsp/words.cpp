// SPDX-License-Identifier: Apache-2.0
#include "asm/lsp/words.h"

#include <algorithm>

#include "targets/text.h"

namespace xas::lsp {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_name(char c) { return text::is_name_char(c) || c == '$' || c == '@' || u8(c) >= 128; }
/// '\' begins a macro's argument, '%' a register of x86.
bool starts_name(char c) { return (is_name(c) && c != '@') || c == '\\' || c == '%'; }

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string lower(std::string_view name) {
  std::string out(name);
  for (char& c : out) c = text::lower(c);
  return out;
}

/// Reads lines one after the other; comments may go over several.
class Finder {
 public:
  Finder(const Text& text, const Comments& comments) : text_(text), comments_(comments) {}

  std::vector<Word> find() {
    for (number_ = 0; number_ < text_.line_count(); ++number_) {
      line_ = text_.line(number_);
      at_ = 0;
      if (!in_comment_ && is_comment()) continue;
      while (at_ < line_.size()) statement();
    }
    return std::move(words_);
  }

 private:
  /// The whole line is a comment.
  bool is_comment() const {
    const std::size_t first = line_.find_first_not_of(" \t");
    return first != line_.npos && !comments_.line.empty() && line_.substr(first).starts_with(comments_.line);
  }

  /// Blanks and comments. False at the end of the line.
  bool skip_blanks() {
    for (;;) {
      if (in_comment_) {
        const std::size_t end = line_.find("*/", at_);
        in_comment_ = end == line_.npos;
        at_ = in_comment_ ? line_.size() : end + 2;
      }
      while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
      if (at_ >= line_.size()) return false;
      const std::string_view rest = line_.substr(at_);
      if (rest.starts_with("/*")) {
        in_comment_ = true;
        at_ += 2;
      } else if (!comments_.anywhere.empty() && rest.starts_with(comments_.anywhere)) {
        at_ = line_.size();
        return false;
      } else {
        return true;
      }
    }
  }

  void skip_string() {
    for (++at_; at_ < line_.size() && line_[at_] != '"'; ++at_)
      if (line_[at_] == '\\') ++at_;
    at_ = std::min(at_ + 1, line_.size());
  }

  /// A name or number; empty if none begins here.
  Word word() {
    Word w{Word::name, number_, u32(at_), u32(at_), {}};
    if (at_ < line_.size() && starts_name(line_[at_])) {
      ++at_;
      while (at_ < line_.size() && is_name(line_[at_])) ++at_;
    }
    w.end = u32(at_);
    w.text = line_.substr(w.begin, w.end - w.begin);
    return w;
  }

  void add(Word w, Word::Role role) {
    // What is behind '@' is a modifier or a version.
    const std::size_t at = role == Word::directive ? w.text.npos : w.text.find('@', 1);
    if (at != w.text.npos) {
      w.text = w.text.substr(0, at);
      w.end = w.begin + u32(at);
    }
    w.role = role;
    words_.push_back(w);
  }

  void statement() {
    Word w;
    for (;;) {  // labels
      if (!skip_blanks()) return;
      if (line_[at_] == ';') return void(++at_);
      w = word();
      if (w.text.empty()) break;
      const std::size_t behind = at_;
      if (skip_blanks() && line_[at_] == ':' && line_.substr(at_, 2) != ":=") {
        ++at_;
        add(w, Word::label);
        continue;
      }
      if (at_ < line_.size() && line_[at_] == '=') {
        add(w, Word::value);
        return operands({});
      }
      at_ = behind;
      break;
    }
    if (w.text.empty()) return operands({});
    const bool is_directive = w.text[0] == '.' && w.text.size() > 1;
    add(w, is_directive ? Word::directive : Word::mnemonic);
    operands(is_directive ? lower(w.text) : std::string());
  }

  /// What is behind a directive or mnemonic, to the statement's end.
  void operands(const std::string& directive) {
    bool first = true;
    while (skip_blanks() && line_[at_] != ';') {
      if (line_[at_] == '"') {
        skip_string();
      } else if (line_[at_] == '\'' && at_ + 1 < line_.size()) {
        at_ = std::min(at_ + (line_[at_ + 1] == '\\' ? 3 : 2), line_.size());
      } else if (Word w = word(); w.text.empty()) {
        ++at_;
      } else {
        add(w, first ? role_behind(directive) : Word::name);
      }
      first = false;
    }
    if (at_ < line_.size()) ++at_;
  }

  static Word::Role role_behind(const std::string& directive) {
    if (directive == ".macro") return Word::macro;
    if (is_one_of(directive,
                  {".set", ".equ", ".equiv", ".eqv", ".comm", ".lcomm", ".common", ".weakref", ".thumb_set"}))
      return Word::value;
    return Word::name;
  }

  const Text& text_;
  const Comments& comments_;
  std::vector<Word> words_;
  std::string_view line_;
  u32 number_ = 0;
  std::size_t at_ = 0;
  bool in_comment_ = false;
};

/// "1" of "1f" and "1b", and whether it is the next one.
bool is_numbered_use(std::string_view name, std::string_view& number, bool& forward) {
  if (name.size() < 2 || !is_numbered(name.substr(0, name.size() - 1))) return false;
  const char last = text::lower(name.back());
  number = name.substr(0, name.size() - 1);
  forward = last == 'f';
  return last == 'f' || last == 'b';
}

bool is_before(const Word& a, const Word& b) { return a.line != b.line ? a.line < b.line : a.begin < b.begin; }

/// The definition that a use of a numbered label means.
const Word* numbered_definition(const std::vector<Word>& words, const Word& use, std::string_view number,
                                bool forward) {
  const Word* found = nullptr;
  for (const Word& w : words) {
    if (w.role != Word::label || w.text != number) continue;
    if (is_before(use, w)) return forward ? &w : found;
    if (!forward) found = &w;
  }
  return found;
}

bool may_stand_for_symbol(const Word& w) { return w.role != Word::directive && w.text[0] != '%' && w.text[0] != '\\'; }

}  // namespace

bool is_numbered(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return text::is_digit(c); });
}

std::vector<Word> find_words(const Text& text, const Comments& comments) { return Finder(text, comments).find(); }

const Word* word_at(const std::vector<Word>& words, u32 line, std::size_t column) {
  const auto first = std::partition_point(words.begin(), words.end(), [&](const Word& w) { return w.line < line; });
  const Word* ends = nullptr;
  for (auto w = first; w != words.end() && w->line == line; ++w) {
    if (w->begin <= column && column < w->end) return &*w;
    if (w->end == column) ends = &*w;
  }
  return ends;
}

std::vector<const Word*> definitions(const std::vector<Word>& words, const Word& of) {
  std::string_view number;
  bool forward;
  if (is_numbered(of.text)) {
    if (of.role == Word::label) return {&of};
    return {};
  }
  if (is_numbered_use(of.text, number, forward)) {
    if (const Word* w = numbered_definition(words, of, number, forward)) return {w};
    return {};
  }
  std::vector<const Word*> found;
  if (!may_stand_for_symbol(of)) return found;
  for (const Word& w : words)
    if (w.defines() && w.text == of.text &&
        (w.role == Word::macro) == (of.role == Word::mnemonic || of.role == Word::macro))
      found.push_back(&w);
  return found;
}

std::vector<const Word*> references(const std::vector<Word>& words, const Word& of) {
  std::vector<const Word*> found;
  std::string_view number;
  bool forward;
  if (is_numbered(of.text) || is_numbered_use(of.text, number, forward)) {
    const auto defined = definitions(words, of);
    if (defined.empty()) return found;
    for (const Word& w : words) {
      const bool is_same = &w == defined[0] || (is_numbered_use(w.text, number, forward) && w.role == Word::name &&
                                                numbered_definition(words, w, number, forward) == defined[0]);
      if (is_same) found.push_back(&w);
    }
    return found;
  }
  if (!may_stand_for_symbol(of)) return found;
  const auto is_macro = [](const Word& w) { return w.role == Word::macro || w.role == Word::mnemonic; };
  // Behind .purgem a macro's name is an operand.
  for (const Word& w : words)
    if (w.text == of.text && w.role != Word::directive && is_macro(w) == is_macro(of)) found.push_back(&w);
  return found;
}

}  // namespace xas::lsp
