// SPDX-License-Identifier: Apache-2.0
// Macros as GNU as reads them: parameters, arguments, and what of a body is replaced. All text has been through `scrub`
// (macro_scrub.cpp) before.
#include <fmt/format.h>

#include "asm/read/macro_expansion.h"
#include "asm/read/parse.h"
#include "asm/text/append.h"

namespace xas::gnu_macro {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Reads the scrubbed text of a .macro line or a call.
class ArgumentReader {
 public:
  ArgumentReader(Reader& reader, std::string_view text)
      : reader_(reader),
        text_(text),
        alternate_(reader.macros.alternate),
        angles_(reader.macros.alternate || reader.macros.mri) {}

  std::size_t at = 0;
  bool done() const { return at >= text_.size(); }
  char peek() const { return at < text_.size() ? text_[at] : '\0'; }
  std::string_view rest() const { return text_.substr(at); }

  void blanks() {
    while (!done() && is_blank(text_[at])) ++at;
  }
  /// Blanks, at most one comma, blanks.
  void comma() {
    blanks();
    if (peek() == ',') ++at;
    blanks();
  }

  /// A name, empty if there is none.
  std::string_view name() {
    const std::size_t start = at;
    if (reader_.program().chars.is(peek(), char_name_start)) {
      while (reader_.program().chars.is(peek(), char_name)) ++at;
    }
    const std::string_view result = text_.substr(start, at - start);
    if (alternate_ && peek() == '&') ++at;
    return result;
  }

  /// Behind the letters and digits at `from`.
  std::size_t behind_word(std::size_t from) const {
    while (from < text_.size() && is_word(text_[from])) ++from;
    return from;
  }

  bool separates(char c) const {
    switch (c) {
      case ' ':
      case '\t':
      case ',':
      case '"':
      case ';':
      case ')':
      case '(': return true;
      case '<':
      case '>': return angles_;
      default: return false;
    }
  }

  /// One argument: up to a blank or comma outside of strings; blanks do not count in brackets.
  void argument(std::string& out) {
    out.clear();
    blanks();
    if (done()) return;
    const char c = peek();
    constexpr std::string_view bases = "bBqQhHdD";
    if (at + 2 < text_.size() && text_[at + 1] == '\'' && bases.find(c) != bases.npos) {
      while (!done() && !separates(peek())) out += text_[at++];
    } else if (c == '%' && alternate_) {
      expression(out);
    } else if (c == '"' || (angles_ && c == '<') || (alternate_ && c == '\'')) {
      const bool keep_quotes = alternate_ && c != '<';
      if (keep_quotes) out += '"';
      quoted(out);
      if (keep_quotes) out += '"';
    } else {
      plain(out);
    }
  }

 private:
  void plain(std::string& out) {
    const std::size_t start = at;
    pass_plain();
    out.append(text_, start, at - start);
  }

  void pass_plain() {
    at = behind_word(at);
    std::string open;  // brackets
    while (!done()) {
      const char c = peek();
      if (c == ',' || (is_blank(c) && open.empty()) || (c == '<' && angles_)) return;
      if (c == '"' || c == '\'') {
        ++at;
        while (!done() && peek() != c) ++at;
        if (done()) return;
      } else if (c == '(' || c == '[') {
        open += c;
      } else if ((c == ')' || c == ']') && !open.empty() && open.back() == (c == ')' ? '(' : '[')) {
        open.pop_back();
      }
      ++at;
    }
  }

  /// "...", '...' and <...>, one after the other; a doubled quote is one.
  void quoted(std::string& out) {
    while (!done()) {
      const char quote = peek();
      if (quote == '<' && angles_) {
        int depth = 0;
        ++at;
        while (!done() && (peek() != '>' || depth)) {
          if (peek() == '!') {
            ++at;
          } else if (peek() == '>') {
            --depth;
          } else if (peek() == '<') {
            ++depth;
          }
          if (!done()) out += text_[at++];
        }
        ++at;
      } else if (quote == '"' || (quote == '\'' && alternate_)) {
        string(quote, out);
      } else {
        return;
      }
    }
  }

  void string(char quote, std::string& out) {
    bool escaped = false;
    ++at;
    while (!done()) {
      escaped = text_[at - 1] == '\\' && !escaped;
      if (alternate_ && peek() == '!') {
        ++at;
        if (!done()) out += text_[at++];
        continue;
      }
      if (!escaped && peek() == quote) {
        ++at;
        if (peek() != quote) return;
      }
      if (!done()) out += text_[at++];
    }
  }

  /// %expression, in decimal. It is read in a buffer of its own, since names that it refers to for the first time are
  /// kept as they stand in the text.
  void expression(std::string& out) {
    ++at;
    std::string error;
    if (!count_expansion(reader_, rest().size(), reader_.macros.depth, reader_.program().sources.statement_loc()))
      return;
    const SourceBuffer* buffer =
        reader_.program().sources.add_expansion("%", rest(), reader_.program().sources.statement_loc(), 0, error);
    if (!buffer) return reader_.error(reader_.program().sources.statement, std::move(error));
    const SourceBuffer* const outer = reader_.program().sources.current;
    const char* const p = reader_.p;
    reader_.program().sources.current = buffer;
    reader_.p = buffer->begin + 1;
    i64 value = 0;
    reader_.absolute(value, "the operand of %");
    at += std::size_t(reader_.p - buffer->begin - 1);
    reader_.program().sources.current = outer;
    reader_.p = p;
    append(out, "{}", value);
  }

  Reader& reader_;
  const std::string_view text_;
  const bool alternate_;
  const bool angles_;  ///< <...> is a string
};

/// parameter := name [ ':' ('req' | 'vararg') ] [ '=' default ]
bool parse_parameter(Reader& reader, ArgumentReader& r, std::string_view macro, MacroParameter& p) {
  r.blanks();
  if (r.peek() == ':') {
    ++r.at;
    r.blanks();
    const std::string_view qualifier = r.name();
    if (qualifier == "req") {
      p.required = true;
    } else if (qualifier == "vararg") {
      p.vararg = true;
    } else {
      reader.error(fmt::format("parameter '{}' of macro '{}' is followed by ':{}'; expected ':req' or ':vararg'",
                               p.name, macro, qualifier));
    }
    r.blanks();
  }
  if (r.peek() == '=') {
    ++r.at;
    r.argument(p.fallback);
    r.blanks();
    if (p.required) {
      p.fallback.clear();
      reader.warning(fmt::format("the default of required parameter '{}' of macro '{}' has no effect", p.name, macro));
    }
  }
  return true;
}

}  // namespace

bool parse_header(Reader& reader, std::string_view text, std::string_view& name, MacroParameters& parameters) {
  ArgumentReader r(reader, text);
  r.blanks();
  if (name.empty()) name = r.name();
  if (name.empty()) {
    reader.error("expected the macro's name");
    return false;
  }
  name = reader.program().symbols.keep(name);
  r.comma();
  while (!r.done()) {
    const std::string_view parameter = r.name();
    if (parameter.empty()) break;
    MacroParameter p{.name = reader.program().symbols.keep(parameter)};
    if (parameters.find(p.name) != piece_none) {
      reader.error(fmt::format("macro '{}' has two parameters named '{}'", name, p.name));
    }
    parse_parameter(reader, r, name, p);
    parameters.add(std::move(p));
    if (parameters.back().vararg) break;
    const std::size_t before = r.at;
    r.comma();
    if (r.at != before && r.done() && text.substr(before).find(',') != text.npos) {
      r.at = before;
      break;
    }
  }
  r.blanks();
  if (r.done()) return true;
  reader.error(fmt::format("bad parameter list of macro '{}' at '{}'", name, r.rest().substr(0, 20)));
  return false;
}

namespace {

/// Those that are not given are what their parameters say.
void complete(Reader& reader, const Macro& m, MacroArguments& out) {
  for (std::size_t i = 0; i < m.parameters.size(); ++i) {
    if (!out[i].empty()) continue;
    if (m.parameters[i].required) {
      reader.error(fmt::format("parameter '{}' of macro '{}' must be given", m.parameters[i].name, m.name));
    }
    out[i] = m.parameters[i].fallback;
  }
}

/// It stands in an argument for nothing but itself, unless it begins a comment.
bool is_plain(char c) { return is_word(c) || std::string_view(".$%()[]+-*#@").find(c) != std::string_view::npos; }

}  // namespace

bool take_plain_call(Reader& reader, const Macro& m, MacroArguments& out) {
  const std::size_t count = m.parameters.size();
  if (reader.macros.alternate || reader.macros.mri || (count && m.parameters.back().vararg)) return false;
  const char comment = reader.program().chars.comment[0];
  const char* p = reader.p;
  std::size_t given = 0;
  bool plain = is_blank(*p);
  while (plain) {
    ++p;  // a blank or a comma
    while (is_blank(*p)) ++p;
    const char* const start = p;
    while (is_plain(*p) && *p != comment) ++p;
    plain = p != start && given < count;
    if (plain) out[given++].assign(start, p);
    while (is_blank(*p)) ++p;
    if (*p != ',') break;
  }
  if (!plain || *p != '\n') {
    for (std::size_t i = 0; i < given; ++i) out[i].clear();
    return false;
  }
  reader.p = p;
  complete(reader, m, out);
  return true;
}

bool parse_arguments(Reader& reader, const Macro& m, std::string_view text, MacroArguments& out) {
  ArgumentReader r(reader, text);
  const bool alternate = reader.macros.alternate;
  std::size_t position = 0;
  bool keyword = false;
  r.blanks();
  while (!r.done()) {
    std::size_t scan = r.behind_word(r.at);
    while (!alternate && scan < text.size() && !r.separates(text[scan]) && text[scan] != '=') ++scan;
    if (!alternate && scan < text.size() && text[scan] == '=') {
      keyword = true;
      const std::string_view name = r.name();
      if (r.peek() != '=') {
        reader.error(fmt::format("expected a parameter of macro '{}' before '='", m.name));
        return false;
      }
      ++r.at;
      const i32 number = m.parameters.find(name);
      if (number == piece_none) {
        reader.error(fmt::format("macro '{}' has no parameter '{}'", m.name, name));
        std::string ignored;
        r.argument(ignored);
      } else {
        std::string& argument = out[u32(number)];
        if (!argument.empty()) {
          reader.warning(fmt::format("parameter '{}' of macro '{}' is given twice", name, m.name));
        }
        r.argument(argument);
      }
    } else {
      if (keyword) {
        reader.error(fmt::format("a positional argument of macro '{}' follows one with a name", m.name));
        return false;
      }
      if (position == m.parameters.size() - m.mri) {
        reader.error(fmt::format("macro '{}' takes {} argument{}, more are given", m.name, m.parameters.size(),
                             m.parameters.size() == 1 ? "" : "s"));
        return false;
      }
      if (m.parameters[position].vararg) {
        out[position] = r.rest();
        r.at = text.size();
      } else {
        r.argument(out[position]);
      }
      ++position;
    }
    if (reader.macros.mri && is_blank(r.peek())) break;  // a comment follows
    r.comma();
  }
  complete(reader, m, out);
  if (m.mri) out.back() = fmt::format("{}", position);
  return true;
}

bool parse_values(Reader& reader, bool characters, std::string_view text, std::string& name,
                  std::vector<std::string>& out) {
  ArgumentReader r(reader, text);
  r.blanks();
  name = r.name();
  if (name.empty()) {
    reader.error("expected the name of the loop's parameter");
    return false;
  }
  r.comma();
  if (r.done()) {
    out.emplace_back();
    return true;
  }
  const bool passes_quotes = reader.program().profile.irpc_passes_quotes;
  bool quoted = false;
  if (characters && !passes_quotes && r.peek() == '"') {
    quoted = true;
    ++r.at;
  }
  while (!r.done()) {
    if (!characters) {
      r.argument(out.emplace_back());
      r.comma();
      continue;
    }
    if (r.peek() == '"') {
      quoted = !quoted;
      const std::size_t here = r.at++;
      if (!passes_quotes || !quoted) r.blanks();
      if (r.done()) break;
      if (passes_quotes) continue;
      r.at = here;
    }
    out.emplace_back(1, r.peek());
    ++r.at;
    if (!quoted) r.blanks();
  }
  return true;
}

namespace {

class Cutter {
 public:
  Cutter(const Reader& reader, Body& body, const MacroParameters& parameters, BodyOf what)
      : chars_(reader.program().chars),
        body_(body),
        text_(body.text),
        parameters_(parameters),
        what_(what),
        counts_in_strings_(reader.program().profile.counts_uses_in_strings),
        alternate_(reader.macros.alternate),
        mri_(reader.macros.mri) {}

  void run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\\' && peek(1) == '+' && (counts_in_strings_ || !in_string_)) {
        put(piece_iteration, at_ + 2);
      } else if (what_ == BodyOf::plain_loop) {
        if (c == '"') in_string_ = !in_string_;
        ++at_;
      } else if (c == '\\') {
        backslash();
      } else if (c == '&') {
        ampersand();
      } else if ((alternate_ || mri_) && chars_.is(c, char_name_start)) {
        bare_name();
      } else {
        if (c == '"') in_string_ = !in_string_;
        ++at_;
      }
    }
    put(piece_none, at_);
  }

 private:
  char peek(std::size_t n) const { return at_ + n < text_.size() ? text_[at_ + n] : '\0'; }

  /// Literal text up to here, then `what`; goes on at `next`.
  void put(i32 what, std::size_t next) {
    body_.pieces.push_back({u32(literal_), u32(at_ - literal_), what});
    at_ = literal_ = next;
  }

  /// Text from `from` to `to` is left out.
  void drop(std::size_t from, std::size_t to) {
    at_ = from;
    put(piece_none, to);
  }

  std::string_view name_at(std::size_t from) const {
    std::size_t end = from;
    if (end < text_.size() && chars_.is(text_[end], char_name_start)) {
      while (end < text_.size() && chars_.is(text_[end], char_name)) ++end;
    }
    return text_.substr(from, end - from);
  }

  i32 find(std::string_view name) const {
    if (const i32 parameter = parameters_.find(name); parameter != piece_none) return parameter;
    const auto local = locals_.find(name);
    return local == locals_.end() ? i32(piece_none) : i32(parameters_.size()) + local->second;
  }

  /// Behind a name, .altmacro swallows an ampersand, and then a quote is swallowed that the preprocessor left.
  std::size_t behind(std::string_view name, char quote) const {
    std::size_t end = std::size_t(name.data() - text_.data()) + name.size();
    if (alternate_ && end < text_.size() && text_[end] == '&') ++end;
    if (end < text_.size() && text_[end] == quote) ++end;
    return end;
  }

  void backslash() {
    const char c = peek(1);
    if (c == '(') {  // \(text): the text
      std::size_t close = text_.find(')', at_ + 2);
      if (close == text_.npos) close = text_.size();
      const std::size_t start = at_ + 2;
      drop(at_, start);
      drop(close, std::min(close + 1, text_.size()));
    } else if (c == '@') {
      put(piece_invocation, at_ + 2);
    } else if (c == '&') {
      at_ += 2;
    } else if (mri_ && u8(c - '0') <= 9) {
      numbered(u32(c - '0'));
    } else if (mri_ && u8((c | 0x20) - 'a') <= 25) {
      numbered(u32((c | 0x20) - 'a') + 10);
    } else {
      const std::string_view name = name_at(at_ + 1);
      const i32 what = find(name);
      const std::size_t next = behind(name, '\'');
      if (what != piece_none) return put(what, next);
      const std::size_t end = at_ + 1 + name.size();
      at_ = end;
      if (next != end) drop(end, next);
    }
  }

  /// An argument of MRI mode by its number. The 0th is what stands behind the macro's name, and never there on x86.
  void numbered(u32 number) {
    if (number == 0 || number > parameters_.size()) return drop(at_, at_ + 2);
    put(i32(number) - 1, at_ + 2);
  }

  void ampersand() {
    const std::string_view name = name_at(at_ + 1);
    const i32 what = find(name);
    if (what != piece_none) return put(what, behind(name, '&'));
    const std::size_t end = at_ + 1 + name.size();
    const std::size_t next = behind(name, '&');
    at_ = std::min(next, end + 1);
    if (next > end + 1) drop(end + 1, next);  // two ampersands become one
  }

  void bare_name() {
    const std::string_view name = name_at(at_);
    if (alternate_ && what_ == BodyOf::macro && !in_string_ && name.size() == 5 && is_local(name) && is_blank(peek(5)))
      return local();
    const i32 what = find(name);
    const std::size_t next = behind(name, '\'');
    if (what != piece_none) return put(what, next);
    const std::size_t end = at_ + name.size();
    at_ = end;
    if (next != end) drop(end, next);
  }

  static bool is_local(std::string_view name) {
    constexpr std::string_view local = "LOCAL";
    for (std::size_t i = 0; i < local.size(); ++i) {
      if ((name[i] & ~0x20) != local[i]) return false;
    }
    return true;
  }

  /// LOCAL name [, name]...
  void local() {
    std::size_t q = at_ + 5;
    while (q < text_.size()) {
      while (q < text_.size() && (is_blank(text_[q]) || text_[q] == ',')) ++q;
      const std::string_view name = name_at(q);
      if (name.empty()) break;
      if (find(name) == piece_none) locals_.emplace(name, i32(locals_.size()));
      q += name.size();
    }
    while (q < text_.size() && text_[q] != '\n') ++q;
    body_.locals = u32(locals_.size());
    drop(at_, q);
  }

  const CharTable& chars_;
  Body& body_;
  const std::string_view text_;
  const MacroParameters& parameters_;
  const BodyOf what_;
  const bool counts_in_strings_, alternate_, mri_;
  std::unordered_map<std::string_view, i32> locals_;
  std::size_t at_ = 0, literal_ = 0;
  bool in_string_ = false;
};

}  // namespace

void cut(const Reader& reader, Body& body, const MacroParameters& parameters, BodyOf what) {
  Cutter(reader, body, parameters, what).run();
}

}  // namespace xas::gnu_macro
