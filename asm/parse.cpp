// Readers that directives share.
#include "asm/parse.h"

#include <fmt/format.h>

namespace xas {

void skip_block_comment(Assembler& a) {
  const char* start = a.p;
  const char* q = a.p + 2;
  const char* end = a.source->end;
  while (q < end && !(q[0] == '*' && q[1] == '/')) ++q;
  if (q >= end) {
    a.error(start, "comment is not closed");
    a.p = end;
    return;
  }
  a.p = q + 2;
}

void pass_statement_end(Assembler& a) {
  while (a.p < a.source->end) {
    const char c = *a.p;
    if (c == '\n' || c == a.chars.separator || c == '\0') return void(++a.p);
    const void* newline = std::memchr(a.p, '\n', std::size_t(a.source->end - a.p));
    a.p = newline ? static_cast<const char*>(newline) : a.source->end;
  }
}

bool expect_comma(Assembler& a, std::string_view after) {
  if (accept_comma(a)) return true;
  a.error_here(fmt::format("expected a comma after {}", after));
  return false;
}

bool scan_decimal(const char*& p, u64& value, bool& overflow) {
  const char* start = p;
  value = 0;
  overflow = false;
  for (; u8(*p - '0') <= 9; ++p) {
    u64 next;
    overflow |= __builtin_mul_overflow(value, 10, &next) || __builtin_add_overflow(next, u64(*p - '0'), &next);
    value = next;
  }
  return p > start;
}

bool scan_number(const char*& p, u64& value, bool& overflow) {
  const char* q = p;
  u64 v = 0;
  overflow = false;
  if (u8(*q - '0') > 9) return false;
  unsigned bits = 0;
  if (*q == '0') {
    const char x = char(q[1] | 0x20);
    bits = x == 'x' ? 4 : x == 'b' && (q[2] == '0' || q[2] == '1') ? 1 : 3;
    q += bits == 3 ? 1 : 2;
  }
  if (bits == 0) {
    for (; u8(*q - '0') <= 9; ++q) {
      u64 next;
      overflow |= __builtin_mul_overflow(v, 10, &next) || __builtin_add_overflow(next, u64(*q - '0'), &next);
      v = next;
    }
  } else {
    const char* digits = q;
    for (;; ++q) {
      const char c = *q;
      unsigned d = u8(c - '0') <= 9            ? unsigned(c - '0')
                   : u8((c | 0x20) - 'a') <= 5 ? unsigned((c | 0x20) - 'a' + 10)
                                               : 99;
      if (d >> bits) break;
      overflow |= (v >> (64 - bits)) != 0;
      v = v << bits | d;
    }
    if (q == digits && bits == 4) return false;
  }
  value = v;
  p = q;
  return true;
}

namespace {

/// One character of a string after a backslash at q; q moves behind it.
bool unescape(Assembler& a, const char*& q, char& out) {
  const char c = *q++;
  switch (c) {
    case 'b': out = '\b'; return true;
    case 'f': out = '\f'; return true;
    case 'n': out = '\n'; return true;
    case 'r': out = '\r'; return true;
    case 't': out = '\t'; return true;
    case 'v': out = '\v'; return true;
    case '\\':
    case '"': out = c; return true;
    case 'x':
    case 'X': {
      u32 v = 0;
      while (a.chars.is(*q, char_hex)) {
        const char d = *q++;
        v = v << 4 | u32(u8(d - '0') <= 9 ? d - '0' : (d | 0x20) - 'a' + 10);
      }
      out = char(v);
      return true;
    }
    default:
      const u8 last_digit = a.profile.octal_eight ? 9 : 7;
      if (u8(c - '0') <= last_digit) {
        u32 v = u32(c - '0');
        for (int i = 0; i < 2 && u8(*q - '0') <= last_digit; ++i) v = v * 8 + u32(*q++ - '0');
        out = char(v);
        return true;
      }
      if (c == '\0' && q > a.source->end) {
        --q;
        return false;
      }
      a.warning(q - 2, fmt::format("unknown escape '\\{}' in string; read as '{}'", c, c));
      out = c;
      return true;
  }
}

}  // namespace

bool parse_string(Assembler& a, std::string_view& text, std::string& storage) {
  skip_blanks(a);
  if (*a.p != '"') {
    a.error_here("expected a string in double quotes");
    return false;
  }
  const char* start = a.p;
  const char* q = start + 1;
  while (*q != '"' && *q != '\\' && *q != '\n' && (*q != '\0' || q < a.source->end)) ++q;
  if (*q == '"') {
    text = {start + 1, std::size_t(q - start - 1)};
    a.p = q + 1;
    return true;
  }
  storage.assign(start + 1, q);
  bool told = false;
  for (;;) {
    char c = *q;
    if (c == '"') break;
    if (c == '\0' && q >= a.source->end) {
      a.error(start, "string is not closed");
      a.p = q;
      return false;
    }
    ++q;
    if (c == '\n' && !std::exchange(told, true)) a.warning(start, "string runs over the end of the line");
    if (c == '\\' && !unescape(a, q, c)) continue;
    storage.push_back(c);
  }
  a.p = q + 1;
  text = storage;
  return true;
}

bool parse_string(Assembler& a, std::string& out) {
  std::string_view text;
  std::string storage;
  if (!parse_string(a, text, storage)) return false;
  out.append(text);
  return true;
}

namespace {

/// A quoted name: of the escapes of strings, it has two.
std::string with_few_escapes(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '\\' || text[i + 1] == '"')) ++i;
    out.push_back(text[i]);
  }
  return out;
}

}  // namespace

bool parse_name(Assembler& a, Name& name, std::string_view what, bool escapes) {
  skip_blanks(a);
  if (*a.p == '"') {
    std::string_view text;
    std::string storage;
    const char* start = a.p + 1;
    if (!parse_string(a, text, storage)) return false;
    if (text.data() == storage.data() && !(escapes && a.profile.message_escapes)) {
      storage = with_few_escapes({start, std::size_t(a.p - 1 - start)});
      text = storage;
    }
    if (a.profile.names_join && *skip_blanks(a.chars, a.p) == '"') {
      std::string joined(text);
      while (*skip_blanks(a.chars, a.p) == '"') {
        if (!parse_string(a, joined)) return false;
      }
      storage = std::move(joined);
      text = storage;
    }
    if (text.data() == storage.data()) text = {a.symbols.keep(text), text.size()};
    name = {text.data(), u32(text.size()), hash_name(text)};
    if (!text.empty()) return true;
    a.error_here(fmt::format("{} must not be empty", what));
    return false;
  }
  if (a.chars.is(*a.p, char_name_start)) {
    name = scan_name(a.chars, a.p);
    a.p += name.size;
    return true;
  }
  a.error_here(fmt::format("expected {}", what));
  return false;
}

bool parse_symbol(Assembler& a, SymbolId& id, std::string_view what, bool escapes) {
  skip_blanks(a);
  Name name{a.p, 0, 0};
  id = *a.p == '.' && a.p[1] == 'L' ? a.symbols.intern_numbered(a.p, name.size) : no_symbol;
  if (id != no_symbol && !a.chars.is(a.p[name.size], char_name)) {
    a.p += name.size;
  } else {
    if (!parse_name(a, name, what, escapes)) return false;
    id = a.symbols.intern(name);
  }
  if (a.symbols[id].loc == 0) a.symbols[id].loc = a.loc_of(name.p);
  return true;
}

bool parse_absolute(Assembler& a, i64& result, std::string_view what) { return a.absolute(result, what); }

int parse_any_register(Assembler& a, const char*& q) {
  const int number = a.target.parse_register(q);
  if (number >= 0 || !a.has_register_aliases) return number;
  const char* end = q;
  while (a.chars.is(*end, char_name)) ++end;
  const int alias = a.register_alias({q, std::size_t(end - q)});
  if (alias >= 0) q = end;
  return alias;
}

bool value_or_zero(Assembler& a, Value& value) {
  skip_blanks(a);
  if (!a.profile.missing_is_zero || (*a.p != ',' && !at_end(a))) {
    const SymbolId first = a.symbols.size();
    if (!a.expression_value(value)) return false;
    a.mentioned_quietly(first);
    return true;
  }
  a.warning(a.p, "a value is missing; it is taken as 0");
  return true;
}

std::string_view rest_of_statement(Assembler& a) {
  const char* start = a.p;
  a.skip_statement();
  const char* end = a.p;
  while (end > start && a.chars.is(end[-1], char_blank)) --end;
  return {start, std::size_t(end - start)};
}

}  // namespace xas
