// SPDX-License-Identifier: Apache-2.0
// Text of statements, for the targets whose operands are atoms (atoms.h): characters, words and numbers. The kinds of
// characters are x86's too.
//
// Where a statement ends is the target's affair (its comment character), so what has to know it is given a function.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "targets/target.h"

namespace xas::text {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; }
constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; }
std::string lower(std::string_view s);

/// `lower_case` in capitals, too.
bool equals_ignoring_case(std::string_view s, std::string_view lower_case);

inline constexpr std::array<bool, 256> name_chars = [] {
  std::array<bool, 256> t{};
  for (int c = 0; c < 256; ++c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    t[unsigned(c)] = letter || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.' || c >= 128;
  }
  return t;
}();

constexpr bool is_digit(char c) { return u8(c - '0') <= 9; }
constexpr bool is_letter(char c) { return u8((c | 0x20) - 'a') <= 25; }
/// A character of a symbol's name.
inline bool is_name_char(char c) { return name_chars[u8(c)]; }

/// Behind blanks and comments that are closed.
inline const char* skip_blanks(const char* p) {
  for (;;) {
    while (*p == ' ' || *p == '\t') ++p;
    if (*p != '/' || p[1] != '*') [[likely]] return p;
    const char* q = p + 2;
    while (*q && (*q != '*' || q[1] != '/')) ++q;
    if (!*q) return p;
    p = q + 2;
  }
}

/// The rest of the statement without blanks at its end; p moved to it.
template <class AtEnd>
std::string_view rest(const char*& p, const AtEnd& at_end) {
  p = skip_blanks(p);
  const char* const start = p;
  while (!at_end(p)) ++p;
  const char* end = p;
  while (end > start && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')) --end;
  return {start, std::size_t(end - start)};
}

/// What stands at p, for a message.
std::string found(const char* p, bool at_end);

/// The number of a register, of one or two digits and at most `last`, no zero in front. q moves over digits even if it
/// is none.
inline bool read_register_number(const char*& q, unsigned last, u8& n) {
  unsigned d = u8(q[0]) - '0';
  if (d > 9) return false;
  ++q;
  if (const unsigned e = u8(q[0]) - '0'; e <= 9) {
    if (d == 0) return false;
    d = d * 10 + e;
    ++q;
  }
  n = u8(d);
  return d <= last;
}

/// A decimal number that is a whole operand; most are of this kind. p moves only over one.
inline bool read_decimal(const char*& p, i64& value) {
  const char* q = p;
  const bool negative = *q == '-';
  if (negative) ++q;
  const char* const digits = q;
  i64 v = 0;
  while (u8(*q - '0') <= 9 && q - digits < 18) v = v * 10 + (*q++ - '0');
  if (q == digits || (*digits == '0' && q - digits != 1) || (*q != ',' && *q != '\n' && *q != ']' && *q != '!'))
    return false;
  p = q;
  value = negative ? -v : v;
  return true;
}

/// A floating-point number, digits with a point or an exponent, as the bits of a double. p moves only over one.
bool read_float(const char*& p, i64& bits);
/// One in hexadecimal: `0x` digits `p` exponent.
bool read_hex_float(const char*& p, i64& bits);

/// [ ':' operator ':' ] expression; false after an error. `both` tells what an operator is together with one behind a
/// symbol, 0 if that can't be.
bool read_expression(const Target& target, const char*& p, Value& v, Emitter& out,
                     u16 (*both)(u16 before, u16 behind) = nullptr);

/// Binds a name to a register for .req and the like, or to none (-1): as it is written, and in upper and lower case
/// unless those mean something already.
void bind_register(std::string_view name, int number, const char* where, Emitter& out);
/// .unreq: the name stands for no register any more. `own`: it is the processor's name of one, which stays. To GNU as
/// (`gnu`) any other name must have stood for one.
void unbind_register(std::string_view name, bool own, bool gnu, const char* where, Emitter& out);
/// The same for a target whose own names `read_register` reads.
template <class Register>
void unbind_register(std::string_view name, bool (*read_register)(const char*&, Register&), bool gnu, const char* where,
                     Emitter& out) {
  const char* p = name.data();
  Register r;
  unbind_register(name, read_register(p, r) && p == name.data() + name.size(), gnu, where, out);
}
/// The register that a name stands for, in whatever mixture of cases it is written; -1 if it is none.
int find_alias(std::string_view name, Emitter& out);

}  // namespace xas::text
