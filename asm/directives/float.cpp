// Floating-point data: .float, .double and the formats of fewer and more bits.
//
// What is strange: GNU as skips a zero and any letter in front of a number (0f1.5, 0d1.5, and so 0x10, which is ten),
// and rounds ties away from zero; LLVM has C99's hexadecimal notation and rounds ties to even.
#include "asm/float.h"

#include <fmt/format.h>

#include "asm/arm.h"
#include "asm/directives/directives.h"
#include "asm/parse.h"

namespace xas {

namespace {

const FloatFormat& format_of(const Assembler& a, u32 format) {
  static constexpr FloatFormat formats[] = {float_single, float_double, float_extended, float_half, float_bfloat16};
  if (format == float_2 && has_alternative_half(a)) return float_half_alternative;
  return formats[format];
}

void emit_float(Assembler& a, const FloatFormat& f, const FloatBits& bits) {
  if (f.bytes != 10) return a.emit_int(bits.low, f.bytes);
  if (a.info.big_endian) a.emit_int(bits.high, 2);
  a.emit_int(bits.low, 8);
  if (!a.info.big_endian) a.emit_int(bits.high, 2);
}

/// :hex digits: the bits themselves, from the most significant one.
bool scan_bits(Assembler& a, const FloatFormat& f, FloatBits& out) {
  const char* const start = a.p++;
  const unsigned wanted = f.bytes * 2u;
  unsigned digits = 0;
  unsigned __int128 value = 0;
  for (;; ++a.p) {
    if (*a.p == '_') continue;
    if (!a.chars.is(*a.p, char_hex)) break;
    value = value << 4 | (u8(*a.p - '0') <= 9 ? unsigned(*a.p - '0') : unsigned((*a.p | 0x20) - 'a' + 10));
    if (++digits > wanted)
      return a.error(start, fmt::format("more than {} digits for a constant of {} bytes", wanted, f.bytes)), false;
  }
  value <<= 4 * (wanted - digits);
  out.low = u64(value);
  out.high = u16(value >> 64);
  return true;
}

/// number := [0 letter] float | [0 letter] ':' hex digits | ' character
bool scan_constant(Assembler& a, const FloatFormat& f, FloatBits& out) {
  skip_blanks(a);
  const char* const start = a.p;
  const FloatRounding rounding{.ties_away = a.profile.float_ties_away, .range_error = a.profile.float_range_error};
  const auto try_number = [&](FloatProblem& problem) {
    problem = scan_float(a.p, a.source->end, f, rounding, out);
    return problem != FloatProblem::not_a_number;
  };
  FloatProblem problem = FloatProblem::none;
  if (*a.p == '\'') {
    Value value;
    i64 code;
    if (!a.expression_value(value) || !a.absolute_of(value, code, "a character", a.loc_of(start))) return false;
    const std::string digits = std::to_string(code);
    const char* p = digits.data();
    scan_float(p, digits.data() + digits.size(), f, rounding, out);
    return true;
  }
  // LLVM takes a blank between sign and number.
  const bool spaced = (*a.p == '-' || *a.p == '+') && a.chars.is(a.p[1], char_blank);
  const bool negative = *a.p == '-';
  if (spaced) a.p = skip_blanks(a.chars, a.p + 1);
  const char* const digits = a.p;
  const bool letter = *digits == '0' && u8((digits[1] | 0x20) - 'a') < 26;
  bool known = false;
  if (!letter || !a.profile.float_letter_prefix || (digits[1] | 0x20) == 'x') {
    known = try_number(problem);
    if (known && letter && a.chars.is(*a.p, char_name)) known = false;  // 0e1.5 was not 0e1
  }
  if (!known && letter) {
    if ((digits[1] | 0x20) == 'x') {
      if (!a.profile.float_letter_prefix)
        return a.error(start, "a hexadecimal floating-point constant needs an exponent: 0x1.8p3"), false;
      a.warning(start,
                "0x in front of a floating-point constant without exponent means nothing: the number is decimal");
    }
    a.p = digits + 2;
    if (*a.p == ':') return scan_bits(a, f, out);
    if (!try_number(problem)) {
      out = {};  // nothing behind the letter is zero
      problem = FloatProblem::none;
    }
  }
  if (spaced && negative) {
    if (f.integer_bit) {
      out.high ^= u16(1u << f.exponent_bits);
    } else {
      out.low ^= u64(1) << (f.bytes * 8 - 1);
    }
  }
  switch (problem) {
    case FloatProblem::none: return true;
    case FloatProblem::out_of_range:
      a.error(start, fmt::format("the number is out of the range of a {}-byte floating-point constant", f.bytes));
      return false;
    case FloatProblem::not_a_number: a.error(start, "expected a floating-point constant"); return false;
  }
  return false;
}

/// Nothing stands for 0 (GNU as).
bool is_missing(Assembler& a) {
  return a.profile.missing_is_zero && (at_end_of_statement(a) || *a.p == ',');
}

}  // namespace

/// .float number [, number]...
void directive_float(Assembler& a, u32 format) {
  if (at_end_of_statement(a)) return;
  const FloatFormat& f = format_of(a, format);
  do {
    FloatBits bits{};
    if (!is_missing(a) && !scan_constant(a, f, bits)) return;
    emit_float(a, f, bits);
  } while (accept_comma(a));
}

/// .dcb.s count [, number]
void directive_float_block(Assembler& a, u32 format) {
  constexpr i64 limit = 1 << 24;
  const FloatFormat& f = format_of(a, format);
  i64 count;
  const char* where = a.p;
  if (!a.absolute(count, "the count")) return;
  FloatBits bits{};
  if (accept_comma(a) && !is_missing(a) && !scan_constant(a, f, bits)) return;
  if (count < 0) return a.warning(where, "negative count: nothing is emitted");
  if (count > limit) return a.error(where, fmt::format("count {} exceeds the limit of {}", count, limit));
  for (i64 i = 0; i < count; ++i) emit_float(a, f, bits);
}

}  // namespace xas
