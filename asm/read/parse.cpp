// SPDX-License-Identifier: Apache-2.0
// Readers that directives share.
#include "asm/read/parse.h"

#include <fmt/format.h>

namespace xas {

void skip_block_comment(Reader& reader) {
  const char* start = reader.p;
  const char* q = reader.p + 2;
  const char* end;
  do {
    end = reader.program().sources.current->end;
    while (q < end && !(q[0] == '*' && q[1] == '/')) ++q;
  } while (q >= end && reader.program().sources.wait_for_more());
  if (q >= end) {
    reader.error(start, "comment is not closed");
    reader.p = end;
    return;
  }
  reader.p = q + 2;
}

void pass_statement_end(Reader& reader) {
  while (reader.p < reader.program().sources.current->end) {
    const char c = *reader.p;
    if (c == '\n' || c == reader.program().chars.separator || c == '\0') return void(++reader.p);
    const void* newline = std::memchr(reader.p, '\n', std::size_t(reader.program().sources.current->end - reader.p));
    reader.p = newline ? static_cast<const char*>(newline) : reader.program().sources.current->end;
  }
}

bool expect_comma(Reader& reader, std::string_view after) {
  if (accept_comma(reader)) return true;
  reader.expected(fmt::format("a comma after {}", after));
  return false;
}

bool parse_unsigned(Reader& reader, u64& value, std::string_view what) {
  skip_blanks(reader);
  const char* const where = reader.p;
  bool overflow = false;
  if (*reader.p == '\'') {
    i64 character;
    if (!parse_absolute(reader, character, what)) return false;
    value = u64(character);
  } else if (!scan_number(reader.p, value, overflow)) {
    return reader.error(where, fmt::format("{} must be a number, without sign", what)), false;
  }
  if (!overflow) return true;
  return reader.error(where, "number does not fit in 64 bits"), false;
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
bool unescape(Reader& reader, const char*& q, char& out) {
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
      while (reader.program().chars.is(*q, char_hex)) {
        const char d = *q++;
        v = v << 4 | u32(u8(d - '0') <= 9 ? d - '0' : (d | 0x20) - 'a' + 10);
      }
      out = char(v);
      return true;
    }
    default:
      const u8 last_digit = reader.program().profile.octal_eight ? 9 : 7;
      if (u8(c - '0') <= last_digit) {
        u32 v = u32(c - '0');
        for (int i = 0; i < 2 && u8(*q - '0') <= last_digit; ++i) v = v * 8 + u32(*q++ - '0');
        out = char(v);
        return true;
      }
      if (c == '\0' && q > reader.program().sources.current->end) {
        --q;
        return false;
      }
      reader.warning(q - 2, fmt::format("unknown escape '\\{}' in string; read as '{}'", c, c));
      out = c;
      return true;
  }
}

}  // namespace

bool parse_string(Reader& reader, std::string_view& text, std::string& storage) {
  skip_blanks(reader);
  if (*reader.p != '"') {
    reader.expected("a string in double quotes");
    return false;
  }
  const char* start = reader.p;
  const char* q = end_of_plain_string(start + 1);
  if (*q == '"') {
    text = {start + 1, std::size_t(q - start - 1)};
    reader.p = q + 1;
    return true;
  }
  storage.assign(start + 1, q);
  bool told = false;
  for (;;) {
    char c = *q;
    if (c == '"') break;
    if (c == '\0' && q >= reader.program().sources.current->end) {
      if (reader.program().sources.wait_for_more()) continue;
      reader.error(start, "string is not closed");
      reader.p = q;
      return false;
    }
    if (c == '\0' && !reader.program().profile.nul_in_strings && !std::exchange(told, true))
      reader.error(q, "NUL character in a string");
    ++q;
    if (c == '\n' && !std::exchange(told, true)) reader.warning(start, "string runs over the end of the line");
    if (c == '\\' && !unescape(reader, q, c)) continue;
    storage.push_back(c);
  }
  reader.p = q + 1;
  text = storage;
  return true;
}

bool parse_string(Reader& reader, std::string& out) {
  std::string_view text;
  std::string storage;
  if (!parse_string(reader, text, storage)) return false;
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

bool parse_name(Reader& reader, Name& name, std::string_view what, bool escapes) {
  skip_blanks(reader);
  if (*reader.p == '"') {
    std::string_view text;
    std::string storage;
    const char* start = reader.p + 1;
    if (!parse_string(reader, text, storage)) return false;
    if (text.data() == storage.data() && !(escapes && reader.program().profile.message_escapes)) {
      storage = with_few_escapes({start, std::size_t(reader.p - 1 - start)});
      text = storage;
    }
    if (reader.program().profile.names_join && *skip_blanks(reader.program().chars, reader.p) == '"') {
      std::string joined(text);
      while (*skip_blanks(reader.program().chars, reader.p) == '"') {
        if (!parse_string(reader, joined)) return false;
      }
      storage = std::move(joined);
      text = storage;
    }
    if (text.data() == storage.data()) text = reader.program().symbols.keep(text);
    name = {text.data(), u32(text.size()), hash_name(text)};
    if (!text.empty()) return true;
    reader.error_here(fmt::format("{} must not be empty", what));
    return false;
  }
  if (reader.program().chars.is(*reader.p, char_name_start)) {
    const u32 size = whole_name_length(reader.program().chars, reader.p);
    name = {reader.p, size, hash_name_padded(reader.p, size)};
    reader.p += name.size;
    return true;
  }
  reader.expected(what);
  return false;
}

bool parse_symbol(Reader& reader, SymbolId& id, std::string_view what, bool escapes) {
  skip_blanks(reader);
  Name name{reader.p, 0, 0};
  id = *reader.p == '.' && reader.p[1] == 'L' ? reader.program().symbols.intern_numbered(reader.p, name.size)
                                              : no_symbol;
  if (id != no_symbol && !reader.program().chars.is(reader.p[name.size], char_name)) {
    reader.p += name.size;
  } else {
    if (!parse_name(reader, name, what, escapes)) return false;
    id = reader.program().symbols.intern(name);
  }
  if (Symbol& s = reader.program().symbols[id]; s.loc == 0) s.mention(reader.loc_of(name.p));
  return true;
}

bool parse_absolute(Reader& reader, i64& result, std::string_view what) { return reader.absolute(result, what); }

int parse_any_register(Reader& reader, const char*& q) {
  const int number = reader.program().target.parse_register(q);
  if (number >= 0 || !reader.out.has_register_aliases) return number;
  const char* end = q;
  while (reader.program().chars.is(*end, char_name)) ++end;
  const int alias = reader.register_alias({q, std::size_t(end - q)});
  if (alias >= 0) q = end;
  return alias;
}

bool value_or_zero(Reader& reader, Value& value) {
  skip_blanks(reader);
  if (!reader.program().profile.missing_is_zero || (*reader.p != ',' && !at_end(reader))) {
    const SymbolId first = reader.program().symbols.size();
    if (!reader.expression_value(value)) return false;
    reader.out.referenced_quietly(first);
    return true;
  }
  reader.warning(reader.p, "a value is missing; it is taken as 0");
  return true;
}

std::string_view rest_of_statement(Reader& reader) {
  const char* start = reader.p;
  reader.skip_statement();
  const char* end = reader.p;
  while (end > start && reader.program().chars.is(end[-1], char_blank)) --end;
  return {start, std::size_t(end - start)};
}

}  // namespace xas
