// SPDX-License-Identifier: Apache-2.0
// Text of statements: what is not worth to be inlined.
#include "targets/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>

#include "targets/advice.h"

namespace xas::text {

namespace {

/// The number up to `end`, rounded once, whatever the locale; p moved there. What no double holds becomes infinity,
/// or 0 if it is that small.
i64 double_bits(const char*& p, const char* end, std::chars_format format) {
  const bool negative = *p == '-';
  if (negative || *p == '+') ++p;
  if (format == std::chars_format::hex) p += 2;  // 0x
  double d = 0;
  if (std::from_chars(p, end, d, format).ec == std::errc::result_out_of_range) {
    const std::string_view text(p, std::size_t(end - p));
    const std::size_t exponent = text.find_last_of("-+");
    const bool small = exponent == text.npos ? text[0] == '0' || text[0] == '.' : text[exponent] == '-';
    constexpr std::size_t few_digits = 16;
    const bool is_zero = small && text.find_first_of(".eEpP") < few_digits;
    d = is_zero ? 0 : std::numeric_limits<double>::infinity();
  }
  p = end;
  return std::bit_cast<i64>(negative ? -d : d);
}

}  // namespace

std::string lower(std::string_view s) {
  std::string out(s);
  for (char& c : out) c = lower(c);
  return out;
}

bool equals_ignoring_case(std::string_view s, std::string_view lower_case) {
  if (s.size() != lower_case.size()) return false;
  for (std::size_t i = 0; i < s.size(); ++i)
    if (lower(s[i]) != lower_case[i]) return false;
  return true;
}

std::string found(const char* p, bool at_end) {
  if (at_end) return "the end of the statement";
  const char* q = p;
  while (is_name_char(*q) && q - p < 30) ++q;
  return fmt::format("'{}'", std::string_view(p, q == p ? 1 : std::size_t(q - p)));
}

bool read_float(const char*& p, i64& bits) {
  const char* q = p;
  if (*q == '-' || *q == '+') ++q;
  const char* const digits = q;
  while (is_digit(*q)) ++q;
  if (q == digits && (q[0] != '.' || !is_digit(q[1]))) return false;
  bool real = false;
  if (*q == '.') {
    real = true;
    ++q;
    while (is_digit(*q)) ++q;
  }
  if ((*q | 0x20) == 'e') {
    const char* e = q + 1;
    if (*e == '-' || *e == '+') ++e;
    if (is_digit(*e)) {
      real = true;
      while (is_digit(*e)) ++e;
      q = e;
    }
  }
  if (!real || is_name_char(*q)) return false;
  bits = double_bits(p, q, std::chars_format::general);
  return true;
}

bool read_hex_float(const char*& p, i64& bits) {
  const char* q = p;
  if (*q == '-' || *q == '+') ++q;
  if (q[0] != '0' || (q[1] | 0x20) != 'x') return false;
  q += 2;
  unsigned digits = 0, points = 0;
  for (; is_digit(*q) || u8((*q | 0x20) - 'a') <= 5 || *q == '.'; ++q) ++(*q == '.' ? points : digits);
  if (digits == 0 || points > 1 || (*q | 0x20) != 'p') return false;
  ++q;
  if (*q == '-' || *q == '+') ++q;
  if (!is_digit(*q)) return false;
  while (is_digit(*q)) ++q;
  if (is_name_char(*q)) return false;
  bits = double_bits(p, q, std::chars_format::hex);
  return true;
}

bool read_expression(const Target& target, const char*& p, Value& v, Emitter& out, u16 (*both)(u16, u16)) {
  const char* const start = p;
  u16 modifier = 0;
  if (*p == ':') {
    const char* const name = ++p;
    while (is_name_char(*p)) ++p;
    const std::string_view text(name, std::size_t(p - name));
    modifier = target.modifier(text);
    if (modifier == 0 || *p != ':') {
      out.error(start, fmt::format("unknown relocation operator ':{}:'{}", text, modifier_advice(target, text)));
      return false;
    }
    p = skip_blanks(p + 1);
    if (*p == '#') p = skip_blanks(p + 1);
  }
  if (!out.expression(p, v)) return false;
  if (!modifier) return true;
  if (v.modifier) {
    modifier = both ? both(modifier, v.modifier) : u16(0);
    if (!modifier) {
      out.error(start, "an expression can have one relocation operator only");
      return false;
    }
  }
  v.modifier = modifier;
  return true;
}

void bind_register(std::string_view name, int number, const char* where, Emitter& out) {
  out.bind_register(name, number, where);
  std::string low, high;
  for (const char c : name) {
    low += lower(c);
    high += upper(c);
  }
  for (const std::string& other : {low, high})
    if (other != name && (number < 0 || out.register_alias(other) < 0)) out.bind_register(other, number, where);
}

void unbind_register(std::string_view name, bool own, bool gnu, const char* where, Emitter& out) {
  if (name.empty() || u8(name[0] - '0') <= 9 || !std::all_of(name.begin(), name.end(), is_name_char))
    return out.error(where, "expected the name of a register behind .unreq");
  if (own) return out.warning(where, fmt::format("'{}' is the processor's name, which stays", name));
  if (gnu && find_alias(name, out) < 0) return out.error(where, fmt::format("'{}' stands for no register", name));
  bind_register(name, -1, where, out);
}

int find_alias(std::string_view name, Emitter& out) {
  const int exact = out.register_alias(name);
  if (exact >= 0) return exact;
  return out.register_alias(lower(name));
}

}  // namespace xas::text
