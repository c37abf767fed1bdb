// SPDX-License-Identifier: Apache-2.0
// Macros as LLVM reads them.
//
// What is strange: a call is read as tokens, and an argument is the tokens' text put together again. So blanks around
// an operator vanish and blanks elsewhere end the argument, but within parentheses everything stays as it was written;
// and a string loses its quotes, unless it lands in a :vararg parameter.
#include <fmt/format.h>

#include <algorithm>

#include "asm/read/macro.h"
#include "asm/read/parse.h"
#include "asm/text/append.h"

namespace xas::llvm_macro {

namespace {

bool is_name_char(const CharTable& chars, char c) { return u8(c) < 128 && chars.is(c, char_name); }

/// Length of the operator at p that joins what stands around it, blanks or not; 0 if there is none.
u32 joining_operator(const char* p) {
  switch (*p) {
    case '+':
    case '~':
    case '*':
    case '^': return 1;
    case '-': return p[1] == '>' ? 0 : 1;
    case '/': return 1;
    case '.': return 1;  // not part of a name: the caller has seen to that
    case '|': return p[1] == '|' ? 2 : 1;
    case '&': return p[1] == '&' ? 2 : 1;
    case '=': return p[1] == '=' ? 2 : 0;
    case '!': return p[1] == '=' ? 2 : 1;
    case '<': return p[1] == '<' || p[1] == '=' || p[1] == '>' ? 2 : 1;
    case '>': return p[1] == '>' || p[1] == '=' ? 2 : 1;
    default: return 0;
  }
}

class ArgumentReader {
 public:
  explicit ArgumentReader(Reader& reader)
      : reader_(reader), chars_(reader.program().chars), alternate_(reader.macros.alternate) {}

  bool at_end() { return xas::at_end(reader_); }

  /// Name at the cursor; false if there is none.
  bool name(std::string_view& out) {
    const char* start = reader_.p;
    if (!chars_.is(*start, char_name_start)) return false;
    reader_.p += name_length(start);
    out = {start, std::size_t(reader_.p - start)};
    return true;
  }

  bool given = false;  ///< the last argument had tokens, and be they empty strings

  /// One argument.
  bool argument(std::string& out, bool vararg) {
    if (vararg) {
      const char* start = reader_.p;
      reader_.skip_statement();
      out.assign(start, reader_.p);
      given = reader_.p != start;
      return true;
    }
    given = false;
    unsigned parentheses = 0;
    for (;;) {
      const char c = *reader_.p;
      if (c == '\0' && reader_.p >= reader_.program().sources.current->end) break;
      if (c == '=' && reader_.p[1] != '=') {
        reader_.error_here("'=' is not expected in an argument");
        return false;
      }
      if (parentheses == 0) {
        if (c == ',') break;
        const bool behind_space = space();
        if (const u32 n = operator_here()) {
          out.append(reader_.p, n);
          reader_.p += n;
          given = true;
          space();
          continue;
        }
        if (behind_space) break;
      }
      if (at_end()) break;
      if (c == '(') ++parentheses;
      if (c == ')' && parentheses) --parentheses;
      token(out);
      given = true;
    }
    if (parentheses == 0) return true;
    reader_.error_here("an argument has more '(' than ')'");
    return false;
  }

  /// %expression or <text> of .altmacro; false if there is none at the cursor.
  bool alternate_argument(std::string& out, bool& failed) {
    failed = false;
    given = true;
    if (!alternate_) return false;
    if (*reader_.p == '%') {
      ++reader_.p;
      i64 value = 0;
      failed = !reader_.absolute(value, "the operand of %");
      append(out, "{}", value);
      skip_blanks(reader_);
      return true;
    }
    if (*reader_.p != '<' || joining_operator(reader_.p) != 1) return false;  // <>, <= and << are operators
    const char* q = reader_.p + 1;
    std::string text;
    while (*q != '>' && *q != '\n' && *q != '\0') {
      if (*q == '!') ++q;
      if (*q == '\n' || *q == '\0') break;
      text += *q++;
    }
    if (*q != '>') return false;
    out += text;
    reader_.p = q + 1;
    skip_blanks(reader_);
    return true;
  }

 private:
  bool at_comment() const { return *reader_.p == '/' && reader_.p[1] == '*'; }

  /// Blanks, if there are any at the cursor, and the comments right behind them. Blanks behind those are others.
  bool space() {
    if (!chars_.is(*reader_.p, char_blank)) return false;
    while (chars_.is(*reader_.p, char_blank)) ++reader_.p;
    while (at_comment()) skip_block_comment(reader_);
    return true;
  }

  /// Length of the joining operator at the cursor, 0 if there is none.
  u32 operator_here() {
    const u32 length = joining_operator(reader_.p);
    if (length == 0 || at_end() || at_comment()) return 0;
    return *reader_.p == '.' && is_name_char(chars_, reader_.p[1]) ? 0 : length;
  }

  /// One token's text; a comment is one.
  void token(std::string& out) {
    const char* start = reader_.p;
    const char c = *start;
    if (at_comment()) {
      skip_block_comment(reader_);
      out.append(start, reader_.p);
      return;
    }
    if (c == '"') {
      const char* q = start + 1;
      while (*q != '"' && *q != '\n' && q < reader_.program().sources.current->end)
        q += *q == '\\' && q[1] != '\n' ? 2 : 1;
      out.append(start + 1, q);
      reader_.p = *q == '"' ? q + 1 : q;
      return;
    }
    const char* q = start + 1;
    if (c == '-' && *q == '>') {
      ++q;
    } else if (c == '\'') {
      if (*q == '\\') ++q;
      if (*q != '\n' && q < reader_.program().sources.current->end) ++q;
      if (*q == '\'') ++q;
    } else if (is_name_char(chars_, c)) {
      while (is_name_char(chars_, *q)) ++q;
    } else if (chars_.is(c, char_blank)) {
      while (chars_.is(*q, char_blank)) ++q;
    }
    out.append(start, q);
    reader_.p = q;
  }

  Reader& reader_;
  const CharTable& chars_;
  const bool alternate_;
};

}  // namespace

bool parse_header(Reader& reader, std::string_view& name, MacroParameters& parameters) {
  ArgumentReader r(reader);
  Name quoted;
  if (!parse_name(reader, quoted, "the macro's name")) return false;
  name = reader.program().symbols.keep(quoted.text());
  accept_comma(reader);
  while (!at_end_of_statement(reader)) {
    if (!parameters.empty() && parameters.back().vararg) {
      reader.error_here(fmt::format(":vararg parameter '{}' must be the last one", parameters.back().name));
      return false;
    }
    MacroParameter p;
    const char* where = reader.p;
    if (!r.name(p.name)) {
      reader.error_here("expected a parameter's name");
      return false;
    }
    if (parameters.find(p.name) != piece_none) {
      reader.error(where, fmt::format("macro '{}' has two parameters named '{}'", name, p.name));
      return false;
    }
    skip_blanks(reader);
    if (*reader.p == ':') {
      ++reader.p;
      skip_blanks(reader);
      std::string_view qualifier;
      where = reader.p;
      r.name(qualifier);
      if (qualifier != "req" && qualifier != "vararg") {
        reader.error(where,
                     fmt::format("parameter '{}' of macro '{}' is followed by ':{}'; expected ':req' or ':vararg'",
                                 p.name, name, qualifier));
        return false;
      }
      (qualifier == "req" ? p.required : p.vararg) = true;
      skip_blanks(reader);
    }
    if (*reader.p == '=') {
      ++reader.p;
      skip_blanks(reader);
      where = reader.p;
      if (!r.argument(p.fallback, false)) return false;
      if (p.required) {
        reader.warning(where,
                   fmt::format("the default of required parameter '{}' of macro '{}' has no effect", p.name, name));
      }
    }
    parameters.add(std::move(p));
    accept_comma(reader);
  }
  return true;
}

namespace {

/// Those that are not given are what their parameters say.
bool complete(Reader& reader, const Macro& m, MacroArguments& out) {
  std::vector<std::size_t>& given_empty = reader.macros.given_empty;
  std::ranges::sort(given_empty);
  bool complete = true;
  for (std::size_t i = 0; i < m.parameters.size(); ++i) {
    if (!out[i].empty() || std::ranges::binary_search(given_empty, i)) continue;
    if (m.parameters[i].required) {
      reader.error_here(fmt::format("parameter '{}' of macro '{}' must be given", m.parameters[i].name, m.name));
      complete = false;
    }
    out[i] = m.parameters[i].fallback;
  }
  return complete;
}

}  // namespace

bool parse_arguments(Reader& reader, const Macro& m, MacroArguments& out) {
  ArgumentReader r(reader);
  const std::size_t count = m.parameters.size();
  reader.macros.given_empty.clear();
  bool named = false;
  // A macro without parameters takes any number of arguments that are empty.
  for (std::size_t position = 0; count == 0 || position < count; ++position) {
    const char* where = reader.p;
    std::size_t i = position;
    std::string_view name;
    const char* before = reader.p;
    if (r.name(name)) {
      skip_blanks(reader);
      if (*reader.p == '=' && reader.p[1] != '=') {
        ++reader.p;
        skip_blanks(reader);
        named = true;
        const i32 number = m.parameters.find(name);
        i = std::size_t(number);
        if (number == piece_none) {
          reader.error(where, fmt::format("macro '{}' has no parameter '{}'", m.name, name));
          return false;
        }
      } else {
        reader.p = before;
        if (named) {
          reader.error(where, fmt::format("a positional argument of macro '{}' follows one with a name", m.name));
          return false;
        }
      }
    } else if (named) {
      reader.error(where, fmt::format("a positional argument of macro '{}' follows one with a name", m.name));
      return false;
    }
    std::string value;
    bool failed;
    if (r.alternate_argument(value, failed)) {
      if (failed) return false;
    } else if (!r.argument(value, count != 0 && position == count - 1 && m.parameters.back().vararg)) {
      return false;
    }
    if (r.given && count == 0) break;
    if (r.given) {
      if (value.empty()) reader.macros.given_empty.push_back(i);
      out[i] = std::move(value);
    }
    if (at_end(reader)) return complete(reader, m, out);
    if (*reader.p == ',') accept_comma(reader);
  }
  reader.error_here(
      fmt::format("macro '{}' takes {} argument{}, more are given", m.name, count, count == 1 ? "" : "s"));
  return false;
}

bool parse_values(Reader& reader, bool characters, std::string& name, std::vector<std::string>& out) {
  ArgumentReader r(reader);
  std::string_view parameter;
  skip_blanks(reader);
  if (!r.name(parameter)) {
    reader.error_here("expected the name of the loop's parameter");
    return false;
  }
  name = parameter;
  accept_comma(reader);
  if (characters) {
    const char* start = reader.p;
    reader.skip_statement();
    const char* end = reader.p;
    while (end > start && reader.program().chars.is(end[-1], char_blank)) --end;
    if (end - start > 1 && *start == '"' && end[-1] == '"') ++start, --end;
    for (const char* q = start; q < end; ++q) out.emplace_back(1, *q);
    return true;
  }
  // The last ones that have no text are none.
  for (std::size_t number = 1;; ++number) {
    std::string value;
    bool failed;
    if (r.alternate_argument(value, failed)) {
      if (failed) return false;
    } else if (!r.argument(value, false)) {
      return false;
    }
    if (r.given) {
      out.resize(number);
      out.back() = std::move(value);
    }
    if (at_end(reader)) return true;
    if (*reader.p == ',') accept_comma(reader);
  }
}

void cut(const Reader& reader, Body& body, const MacroParameters& parameters, bool invocations) {
  const std::string_view text = body.text;
  const bool alternate = reader.macros.alternate;
  std::size_t at = 0, literal = 0;
  const auto put = [&](i32 what, std::size_t next) {
    body.pieces.push_back({u32(literal), u32(at - literal), what});
    at = literal = next;
  };
  const auto name_end = [&](std::size_t from) {
    while (from < text.size() && is_name_char(reader.program().chars, text[from])) ++from;
    return from;
  };
  // Behind a name, .altmacro swallows an ampersand.
  const auto behind = [&](std::size_t end) { return end + (alternate && end < text.size() && text[end] == '&'); };
  while (at < text.size()) {
    const char c = text[at];
    if (c == '\\' && at + 1 < text.size()) {
      const char next = text[at + 1];
      if (next == '@' && invocations) {
        put(piece_invocation, at + 2);
      } else if (next == '+') {
        put(piece_iteration, at + 2);
      } else if (next == '(' && at + 2 < text.size() && text[at + 2] == ')') {
        put(piece_none, at + 3);
      } else {
        const std::size_t end = name_end(at + 1);
        const i32 what = parameters.find(text.substr(at + 1, end - at - 1));
        if (what != piece_none) {
          put(what, behind(end));
        } else {
          at = end;
          if (behind(end) != end) put(piece_none, behind(end));
        }
      }
    } else if (!is_name_char(reader.program().chars, c)) {
      ++at;
    } else {
      const std::size_t end = name_end(at);
      const i32 what = alternate ? parameters.find(text.substr(at, end - at)) : i32(piece_none);
      if (what != piece_none) {
        put(what, behind(end));
      } else {
        at = end;
      }
    }
  }
  put(piece_none, at);
}

}  // namespace xas::llvm_macro
