// SPDX-License-Identifier: Apache-2.0
#include "asm/lsp/words.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "asm/directives/usage.h"
#include "targets/text.h"

namespace xas::lsp {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_parameter_char(char c) { return text::is_name_char(c) || c == '$' || u8(c) >= 128; }
bool is_name(char c) { return is_parameter_char(c) || c == '@'; }
/// '%' begins a register of x86.
bool starts_name(char c) { return is_parameter_char(c) || c == '%'; }

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
  Finder(const Text& text, const Syntax& syntax)
      : text_(text), syntax_(syntax), dollar_immediates_(syntax.dollar_immediates) {}

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
  /// A macro, or a loop with a parameter.
  struct Block {
    u32 number = 0;
    bool is_macro = false;
    std::vector<std::string_view> parameters;

    bool has(std::string_view name) const {
      return std::find(parameters.begin(), parameters.end(), name) != parameters.end();
    }
  };

  /// What its first word makes of a statement's operands.
  struct Kind {
    std::string directive;  ///< in lower case; empty: it is an instruction or a call
    const Block* call = nullptr;
    bool strings_are_names = false;
  };

  bool rest_starts_with(std::string_view start) const { return line_.substr(at_).starts_with(start); }

  /// The whole line is a comment.
  bool is_comment() const {
    const std::size_t first = line_.find_first_not_of(" \t");
    return first != line_.npos && !syntax_.line_comment.empty() &&
           line_.substr(first).starts_with(syntax_.line_comment) && !line_.substr(first).starts_with("/*");
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
      if (rest_starts_with("/*")) {
        in_comment_ = true;
        at_ += 2;
      } else if (!syntax_.comment.empty() && rest_starts_with(syntax_.comment)) {
        at_ = line_.size();
        return false;
      } else {
        return true;
      }
    }
  }

  // Words

  Word word_from(std::size_t begin, std::size_t end) const {
    Word w{.line = number_, .begin = u32(begin), .end = u32(end)};
    w.text = line_.substr(begin, end - begin);
    return w;
  }

  /// A name or number. Empty if none begins here, or if parts of it are arguments: only these are words then.
  Word word() {
    const std::size_t begin = at_;
    bool is_whole = true;
    if (at_ < line_.size() && starts_name(line_[at_])) ++at_;
    for (; at_ < line_.size(); ++at_) {
      if (is_name(line_[at_]) && at_ != begin) continue;
      if (line_[at_] != '\\' || at_ + 1 == line_.size()) break;
      is_whole = false;
      if (!argument()) at_ += rest_starts_with("\\()") ? 2 : 1;
    }
    return is_whole ? word_from(begin, at_) : word_from(at_, at_);
  }

  /// `\x`, if x is a parameter here; the cursor moves to its last character.
  bool argument() {
    std::size_t end = at_ + 1;
    while (end < line_.size() && is_parameter_char(line_[end])) ++end;
    return end > at_ + 1 && add_argument(word_from(at_ + 1, end)) && (at_ = end - 1, true);
  }

  /// Of several macros around it, the outermost is expanded first.
  bool add_argument(Word w) {
    for (const Block& block : open_) {
      if (!block.has(w.text)) continue;
      w.scope = block.number;
      w.role = Word::argument;
      words_.push_back(w);
      return true;
    }
    return false;
  }

  /// A string. A macro's arguments are put into it, too.
  Word string() {
    const std::size_t begin = ++at_;
    for (; at_ < line_.size() && line_[at_] != '"'; ++at_)
      if (line_[at_] == '\\' && !argument()) ++at_;
    Word w = word_from(begin, std::min(at_, line_.size()));
    w.quoted = true;
    at_ = std::min(at_ + 1, line_.size());
    return w;
  }

  Word word_or_string() { return line_[at_] == '"' ? string() : word(); }

  void add(Word w, Word::Role role) {
    if (w.text.empty()) return;
    // What is behind '@' is a modifier or a version.
    const std::size_t at = role == Word::directive || w.quoted ? w.text.npos : w.text.find('@', 1);
    if (at != w.text.npos) {
      w.text = w.text.substr(0, at);
      w.end = w.begin + u32(at);
    }
    if (alternate_ && !w.quoted && add_argument(w)) return;
    w.role = role;
    words_.push_back(w);
  }

  // Statements

  void statement() {
    Word w;
    for (;;) {  // labels
      if (!skip_blanks()) return;
      if (line_[at_] == ';') return void(++at_);
      const std::size_t begin = at_;
      w = word_or_string();
      if (at_ == begin) break;
      const std::size_t behind = at_;
      if (skip_blanks() && line_[at_] == ':' && line_.substr(at_, 2) != ":=") {
        ++at_;
        add(w, Word::label);
        continue;
      }
      if (at_ < line_.size() && line_[at_] == '=') {
        add(w, Word::value);
        return operands({.directive = "=", .strings_are_names = true});
      }
      at_ = behind;
      break;
    }
    if (w.text.empty() || w.quoted) return operands({});
    const bool is_directive = w.text[0] == '.' && w.text.size() > 1;
    add(w, is_directive ? Word::directive : Word::mnemonic);
    if (is_directive) return directive(lower(w.text));
    const auto call = macros_.find(w.text);
    operands({.call = call == macros_.end() ? nullptr : &call->second, .strings_are_names = call == macros_.end()});
  }

  void directive(const std::string& name) {
    if (name == ".macro") return macro();
    if (is_one_of(name, {".irp", ".irep", ".irpc", ".irepc"})) return loop();
    if (is_one_of(name, {".rept", ".rep"})) open_.push_back({});
    if (is_one_of(name, {".endm", ".endmacro"})) close(true);
    if (name == ".endr") close(false);
    if (is_one_of(name, {".altmacro", ".noaltmacro"})) alternate_ = name == ".altmacro";
    if (is_one_of(name, {".intel_syntax", ".att_syntax"})) dollar_immediates_ = name == ".att_syntax";
    // Where the operands may be texts, strings are that.
    const DirectiveUsage* const usage = find_directive_usage(name);
    operands({.directive = name, .strings_are_names = usage && usage->operands.find('"') == std::string_view::npos});
  }

  /// Ends the innermost macro, or loop, and what has been left open in it.
  void close(bool is_macro) {
    for (std::size_t i = open_.size(); i-- > 0;)
      if (open_[i].is_macro == is_macro) return open_.resize(i);
  }

  void add_parameter(Block& block) {
    Word w = word();
    if (w.text.empty()) return;
    block.parameters.push_back(w.text);
    w.scope = block.number;
    w.role = Word::parameter;
    words_.push_back(w);
  }

  /// name[(][parameter[:req|:vararg][=default]][,] ...[)]
  void macro() {
    Block block{.number = ++blocks_, .is_macro = true};
    if (!skip_blanks()) return;
    const Word name = word();
    add(name, Word::macro);
    while (skip_blanks() && line_[at_] != ';') {
      const std::size_t begin = at_;
      if (line_[at_] == ':') {
        ++at_;
        if (skip_blanks()) word();
      } else if (line_[at_] == '=') {
        ++at_;
        default_value();
      } else {
        add_parameter(block);
      }
      if (at_ == begin) ++at_;
    }
    macros_[name.text] = block;
    open_.push_back(std::move(block));
  }

  void default_value() {
    if (!skip_blanks()) return;
    while (at_ < line_.size() && line_[at_] != ',' && !is_blank(line_[at_])) {
      const std::size_t begin = at_;
      if (line_[at_] == '"')
        string();
      else
        add(word(), Word::name);
      if (at_ == begin) ++at_;
    }
  }

  /// parameter, value, ...
  void loop() {
    Block block{.number = ++blocks_};
    if (skip_blanks()) add_parameter(block);
    operands({.directive = ".irp"});
    open_.push_back(std::move(block));
  }

  /// What is behind a directive or mnemonic, to the statement's end.
  void operands(const Kind& kind) {
    bool first = true;
    while (skip_blanks() && line_[at_] != ';') {
      const std::size_t begin = at_;
      if (line_[at_] == '$' && dollar_immediates_ && kind.directive.empty()) ++at_;
      if (at_ == line_.size()) break;
      if (line_[at_] == '\'') {
        character();
      } else if (line_[at_] == '"' && !kind.strings_are_names) {
        string();
      } else {
        operand(word_or_string(), kind, first);
      }
      if (at_ == begin) ++at_;
      first = false;
    }
    if (at_ < line_.size()) ++at_;
  }

  void operand(Word w, const Kind& kind, bool first) {
    if (kind.call && kind.call->has(w.text) && rest_starts_with("=") && !rest_starts_with("==")) {
      w.scope = kind.call->number;
      w.role = Word::argument;
      return words_.push_back(w);
    }
    add(w, kind.directive == ".purgem" ? Word::mnemonic
           : first && defines(kind.directive) ? Word::value
                                              : Word::name);
  }

  static bool defines(const std::string& directive) {
    return is_one_of(directive,
                     {".set", ".equ", ".equiv", ".eqv", ".comm", ".lcomm", ".common", ".weakref", ".thumb_set"});
  }

  /// 'a, 'a', '\n'
  void character() {
    at_ = std::min(at_ + (rest_starts_with("'\\") ? 3 : 2), line_.size());
    if (rest_starts_with("'")) ++at_;
  }

  const Text& text_;
  const Syntax& syntax_;
  bool dollar_immediates_;
  std::vector<Word> words_;
  std::vector<Block> open_;                             ///< macros and loops around the line
  std::unordered_map<std::string_view, Block> macros_;  ///< so far
  u32 blocks_ = 0;
  std::string_view line_;
  u32 number_ = 0;
  std::size_t at_ = 0;
  bool in_comment_ = false;
  bool alternate_ = false;  ///< .altmacro: arguments need no backslash
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

bool is_of_parameter(const Word& w) { return w.role == Word::parameter || w.role == Word::argument; }
bool is_of_macro(const Word& w) { return w.role == Word::macro || w.role == Word::mnemonic; }
bool may_stand_for_symbol(const Word& w) {
  return w.role != Word::directive && !is_of_parameter(w) && (w.text[0] != '%' || w.quoted);
}

}  // namespace

bool is_numbered(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return text::is_digit(c); });
}

std::string_view label_number(const Word& word) {
  std::string_view number;
  bool forward;
  if (word.role == Word::label) return is_numbered(word.text) ? word.text : std::string_view();
  return word.role == Word::name && is_numbered_use(word.text, number, forward) ? number : std::string_view();
}

std::vector<Word> find_words(const Text& text, const Syntax& syntax) { return Finder(text, syntax).find(); }

const Word* word_at(const std::vector<Word>& words, u32 line, std::size_t column) {
  const auto first = std::partition_point(words.begin(), words.end(), [&](const Word& w) { return w.line < line; });
  const Word* ends = nullptr;
  for (auto w = first; w != words.end() && w->line == line; ++w) {
    if (w->begin <= column && column < w->end) return &*w;
    if (w->end == column) ends = &*w;
  }
  return ends;
}

bool stand_for_same(const Word& a, const Word& b) {
  if (a.text != b.text) return false;
  if (is_of_parameter(a) || is_of_parameter(b)) return a.scope == b.scope;
  return may_stand_for_symbol(a) && may_stand_for_symbol(b) && is_of_macro(a) == is_of_macro(b);
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
  for (const Word& w : words)
    if (w.defines() && stand_for_same(w, of)) found.push_back(&w);
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
  for (const Word& w : words)
    if (stand_for_same(w, of)) found.push_back(&w);
  return found;
}

}  // namespace xas::lsp
