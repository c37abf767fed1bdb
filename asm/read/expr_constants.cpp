// SPDX-License-Identifier: Apache-2.0
// Constants in expressions: numbers and characters.
//
// Beside the numbers of C, some are written as labels are (1b, 1f), some are LLVM's alone (1.5, which is the integer of
// that double's bits), and some have options of their own: MASM's with a letter behind the digits, Motorola's with a
// character before them.
#include "asm/read/expr_constants.h"

#include <fmt/format.h>

#include <algorithm>

#include "asm/read/parse.h"
#include "asm/read/unknown.h"
#include "asm/text/float.h"

namespace xas {

namespace {

/// masm-number := digits [ 'h' | 't' | 'd' | 'o' | 'q' | 'y' | 'b' ]; 0x and so on are others'. False, nothing read,
/// if no letter tells the base.
bool read_masm_number(const CharTable& chars, const char*& p, Value& out) {
  const char* const digits = p[0] == '0' && (p[1] | 0x20) == 'x' ? p + 2 : p;
  const char* end = digits;
  while (chars.is(*end, char_hex)) ++end;
  const char letter = char(*end | 0x20);
  u64 base = letter == 'h' ? 16 : letter == 't' ? 10 : letter == 'o' || letter == 'q' ? 8 : letter == 'y' ? 2 : 0;
  const char* behind = end + (base != 0);
  if (base == 0 && end > digits) {  // d and b are digits themselves
    --end;
    base = (*end | 0x20) == 'd' ? 10 : (*end | 0x20) == 'b' ? 2 : 0;
  }
  if (base == 0 || (digits != p && base != 16) || chars.is(*behind, char_name)) return false;
  u64 v = 0;
  for (const char* q = digits; q < end; ++q) {
    const u64 digit = hex_digits.of[u8(*q)];
    if (digit >= base || __builtin_mul_overflow(v, base, &v) || __builtin_add_overflow(v, digit, &v)) return false;
  }
  out.constant = i64(v);
  p = behind;
  return true;
}

/// A number with a point or an exponent is the integer that has its bits as a double (LLVM).
bool read_real_number(const Program& program, const char* start, const char*& p, Value& out) {
  const char* q = start;
  FloatBits bits;
  const FloatProblem problem = scan_float(q, program.sources.current->end, float_double, FloatDecimals::exact, bits);
  const std::string_view text(start, std::size_t(q - start));
  const bool is_real =
      text.find_first_of(text.starts_with("0x") || text.starts_with("0X") ? ".pP" : ".eE") != text.npos;
  if (problem != FloatProblem::none || !is_real || program.chars.is(*q, char_name)) return false;
  out.constant = i64(bits.low);
  p = q;
  return true;
}

/// How the characters of a constant that is too long are written as a number, if that is not too long.
std::string as_number(const char* begin, const char* end) {
  std::string digits;
  for (const char* q = end; q-- > begin;) digits += fmt::format("{:02x}", u8(*q));
  return end - begin > 8 ? "; text is for .ascii"
                         : fmt::format("; as a number it is 0x{}, as text it is for .ascii", digits);
}

}  // namespace

bool read_number(Reader& reader, const char*& p, Value& out) {
  if (reader.program().options.masm_integers && read_masm_number(reader.program().chars, p, out)) [[unlikely]]
    return true;
  const char* start = p;
  u64 v;
  bool overflow;
  if (!scan_number(p, v, overflow)) {
    reader.error(start, "bad number" + explain_number(start));
    return false;
  }
  if ((*p == 'b' || *p == 'f') && !reader.program().chars.is(p[1], char_name)) {
    const char* q = start;
    u64 label = 0;
    while (u8(*q - '0') <= 9 && label <= ~u32(0)) label = label * 10 + u64(*q++ - '0');
    if (q == p && label <= ~u32(0)) {
      out.add = reader.out.numeric_label(u32(label), *p == 'f', reader.here());
      if (out.add == no_symbol) {
        reader.error(start, fmt::format("there is no label {}: before this", label));
        return false;
      }
      ++p;
      return true;
    }
  }
  if (reader.program().chars.is(*p, char_name)) {
    const char* q = p;
    while ((*q | 0x20) == 'u' || (*q | 0x20) == 'l') ++q;
    if (reader.program().chars.is(*q, char_name) || q - p > 3) {
      if (read_real_number(reader.program(), start, p, out)) return reader.real_number = start, true;
      reader.error(start, "bad number" + explain_number(start));
      return false;
    }
    p = q;
  }
  if (overflow) {
    reader.error(start, "number does not fit in 64 bits");
    return false;
  }
  out.constant = i64(v);
  return true;
}

bool read_motorola_number(Reader& reader, const char*& p, Value& out) {
  const char* const start = p++;
  const bool hex = *start == '$';
  u64 v = 0;
  for (; hex ? reader.program().chars.is(*p, char_hex) : u8(*p - '0') <= 1; ++p) {
    const u64 digit = hex_digits.of[u8(*p)];
    if (v >> (hex ? 60 : 63)) return reader.error(start, "number does not fit in 64 bits"), false;
    v = v << (hex ? 4 : 1) | digit;
  }
  if (p == start + 1 || reader.program().chars.is(*p, char_name)) return reader.error(start, "bad number"), false;
  out.constant = i64(v);
  return true;
}

bool read_character(Reader& reader, const char*& p, Value& out) {
  const char* start = p++;
  const bool escaped = *p == '\\';
  p += escaped;
  char c = *p;
  if (c == '\n' || (c == '\0' && p >= reader.program().sources.current->end)) {
    reader.error(start, "expected a character after the quote");
    return false;
  }
  ++p;
  if (escaped) {
    static constexpr std::string_view from = "bfnrt", to = "\b\f\n\r\t";
    if (auto i = from.find(c); i != from.npos) c = to[i];
  }
  const char* q = p;
  while (!escaped && reader.program().chars.is(*q, char_name)) ++q;
  if (q != p && *q == '\'') {
    constexpr std::ptrdiff_t longest = 20;
    const std::string_view written(start, std::size_t(std::min(q + 1 - start, longest)));
    reader.error(start,
                 fmt::format("a character constant is one character, not {}{}", written, as_number(start + 1, q)));
    return false;
  }
  if (*p == '\'') ++p;
  out.constant = u8(c);
  return true;
}

}  // namespace xas
