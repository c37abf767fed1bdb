// SPDX-License-Identifier: Apache-2.0
// Small readers that directives share. All work on the cursor `reader.p`, and leave it at the first character they do
// not understand. Those that can fail report it themselves and return false.
#pragma once

#include <string>
#include <string_view>

#include "asm/read/reader.h"

namespace xas {

/// Moves over a `/* ... */` comment, which may span lines; to the end of the text if it is not closed.
void skip_block_comment(Reader& reader);

/// Blanks and block comments.
inline void skip_blanks(Reader& reader) {
  for (;;) {
    const char* const p = skip_blanks(reader.program().chars, reader.p);
    reader.p = p;
    if (*p != '/' || p[1] != '*') return;
    skip_block_comment(reader);
  }
}

/// A comment that runs to the end of the line starts at p.
inline bool at_comment(const Program& program, const char* p) {
  const std::string_view c = program.chars.comment;
  if (*p == c[0] && (c.size() == 1 || p[1] == c[1])) return true;
  return *p == '/' && p[1] == '/';
}

/// True at the end of the statement: newline, separator, comment, end of text. Blanks must have been skipped.
inline bool at_end(const Reader& reader) {
  const char c = *reader.p;
  if (!reader.program().chars.is(c, char_end)) return false;
  if (c == '\n' || c == reader.program().chars.separator) return true;
  if (c == '\0') return reader.p == reader.program().sources.current->end;
  return at_comment(reader.program(), reader.p);
}

/// Skips blanks, then tells whether the statement is at its end.
inline bool at_end_of_statement(Reader& reader) {
  skip_blanks(reader);
  return at_end(reader);
}

/// From the end of a statement to the start of the next one, over a comment between them.
void pass_statement_end(Reader& reader);

/// Takes a comma and the blanks around it, if there is one.
inline bool accept_comma(Reader& reader) {
  skip_blanks(reader);
  if (*reader.p != ',') return false;
  ++reader.p;
  skip_blanks(reader);
  return true;
}

/// Takes a comma or reports that `after` must be followed by one.
bool expect_comma(Reader& reader, std::string_view after);

/// A name: of a symbol, a section, an option. Plain, or in double quotes. With `escapes`, those of
/// strings count in quoted names where they do in GNU as's .globl, .set and .comm; else \\ and \" only.
bool parse_name(Reader& reader, Name& name, std::string_view what, bool escapes = false);

/// As parse_name, and the symbol of that name, made if it is new.
bool parse_symbol(Reader& reader, SymbolId& id, std::string_view what, bool escapes = false);

/// A double-quoted string with GNU as's escapes; appended to `out`.
bool parse_string(Reader& reader, std::string& out);
/// Text of a string without undoing escapes if there are none (the usual case costs no copy); else `storage` holds it.
bool parse_string(Reader& reader, std::string_view& text, std::string& storage);

/// An expression that must be constant now.
bool parse_absolute(Reader& reader, i64& result, std::string_view what);

/// The register that the text at q names, itself or by a name that stands for it now; q moves behind it. -1: none.
int parse_any_register(Reader& reader, const char*& q);

/// An expression, or nothing where GNU as takes nothing for 0.
bool value_or_zero(Reader& reader, Value& value);

/// As parse_absolute, and quick for a plain decimal number. What may follow it is a comma, a blank or the end of the
/// statement; anything else is left to parse_absolute.
inline bool parse_integer(Reader& reader, i64& result, std::string_view what) {
  skip_blanks(reader);
  u64 v;
  const char* const q = plain_number(reader.p, v);
  if (q && (i64(v) >= 0 || *reader.p == '-')) {
    const char* after = q;
    while (*after == ' ' || *after == '\t') ++after;
    const bool goes_on = after != q && (reader.program().chars.is(*after, char_name));
    if (*after == ',' || *after == '\n' || goes_on || (after != q && reader.program().chars.starts_comment(after))) {
      reader.p = q;
      result = i64(v);
      return true;
    }
  }
  return parse_absolute(reader, result, what);
}

/// An unsigned decimal, hexadecimal, octal or binary number at p (no blanks before it, no sign). False, p unmoved, if
/// there is no digit. `overflow` is set where it exceeds 64 bits.
bool scan_number(const char*& p, u64& value, bool& overflow);

/// A number of 64 bits without sign, not an expression, or a character in quotes.
bool parse_unsigned(Reader& reader, u64& value, std::string_view what);

/// Decimal digits at p, whatever they start with (numeric labels: `010:` is label 10).
bool scan_decimal(const char*& p, u64& value, bool& overflow);

/// The rest of the statement, for directives that are read and ignored.
std::string_view rest_of_statement(Reader& reader);

}  // namespace xas
