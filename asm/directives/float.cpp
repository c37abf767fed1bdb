// SPDX-License-Identifier: Apache-2.0
// Floating-point data: .float, .double and the formats of fewer and more bits.
//
// What is strange: GNU as skips a zero and any letter in front of a number (0f1.5, 0d1.5, and so 0x10, which is ten),
// and has its own arithmetic for decimal numbers; LLVM has C99's hexadecimal notation.
#include "asm/text/float.h"
#include "asm/text/u128.h"

#include <fmt/format.h>

#include <bit>

#include "asm/directives/directives.h"
#include "asm/read/parse.h"

namespace xas {

namespace {

const FloatFormat& format_of(const Program& program, u32 format) {
  static constexpr FloatFormat formats[] = {float_single, float_double, float_extended, float_half, float_bfloat16};
  if (format == float_2 && program.target.alternative_half()) return float_half_alternative;
  return formats[format];
}

void emit_float(Streamer& out, const FloatFormat& f, const FloatBits& bits) {
  const bool swaps = f.bytes == 8 && out.program.info.doubles_are_mixed && !out.program.info.big_endian;
  if (f.bytes != 10) return out.emit_int(swaps ? std::rotl(bits.low, 32) : bits.low, f.bytes);
  if (out.program.info.big_endian) out.emit_int(bits.high, 2);
  out.emit_int(bits.low, 8);
  if (!out.program.info.big_endian) out.emit_int(bits.high, 2);
}

/// :hex digits: the bits themselves, from the most significant one.
bool scan_bits(Reader& reader, const FloatFormat& f, FloatBits& out) {
  const char* const start = reader.p++;
  const unsigned wanted = f.bytes * 2u;
  unsigned digits = 0;
  u128 value = 0;
  for (;; ++reader.p) {
    if (*reader.p == '_') continue;
    if (!reader.program().chars.is(*reader.p, char_hex)) break;
    value = value << 4 |
            u64(u8(*reader.p - '0') <= 9 ? unsigned(*reader.p - '0') : unsigned((*reader.p | 0x20) - 'a' + 10));
    if (++digits > wanted)
      return reader.error(start, fmt::format("more than {} digits for a constant of {} bytes", wanted, f.bytes)), false;
  }
  value <<= 4 * (wanted - digits);
  out.low = u64(value);
  out.high = u16(u64(value >> 64));
  return true;
}

/// Nothing stands for 0 (GNU as).
bool is_missing(Reader& reader) {
  return reader.program().profile.missing_is_zero && (at_end_of_statement(reader) || *reader.p == ',');
}

/// A sign of nothing at the cursor, which moves behind it; else it stays.
bool is_sign_alone(Reader& reader) {
  if (*reader.p != '-' && *reader.p != '+') return false;
  const char* const sign = reader.p++;
  if (is_missing(reader)) {
    reader.warning(sign, "a number is missing; it is taken as 0");
    return true;
  }
  reader.p = sign;
  return false;
}

void flip_sign(const FloatFormat& f, FloatBits& bits) {
  if (f.integer_bit) {
    bits.high ^= u16(1u << f.exponent_bits);
  } else {
    bits.low ^= u64(1) << (f.bytes * 8 - 1);
  }
}

/// number := [0 letter] float | [0 letter] ':' hex digits | ' character
bool scan_constant(Reader& reader, const FloatFormat& f, FloatBits& out) {
  skip_blanks(reader);
  const char* const start = reader.p;
  if (is_sign_alone(reader)) {
    if (*start == '-') flip_sign(f, out);
    return true;
  }
  const FloatDecimals decimals =
      reader.program().profile.truncates_decimals ? FloatDecimals::truncated : FloatDecimals::exact;
  const auto try_number = [&](FloatProblem& problem) {
    problem = scan_float(reader.p, reader.program().sources.current->end, f, decimals, out);
    return problem != FloatProblem::not_a_number;
  };
  FloatProblem problem = FloatProblem::none;
  if (*reader.p == '\'') {
    Value value;
    i64 code;
    if (!reader.expression_value(value) || !reader.absolute_of(value, code, "a character", reader.loc_of(start)))
      return false;
    const std::string digits = std::to_string(code);
    const char* p = digits.data();
    scan_float(p, digits.data() + digits.size(), f, decimals, out);
    return true;
  }
  // LLVM takes a blank between sign and number.
  const bool spaced = (*reader.p == '-' || *reader.p == '+') && reader.program().chars.is(reader.p[1], char_blank);
  const bool negative = *reader.p == '-';
  if (spaced) reader.p = skip_blanks(reader.program().chars, reader.p + 1);
  const char* const digits = reader.p;
  const bool letter = *digits == '0' && u8((digits[1] | 0x20) - 'a') < 26;
  bool known = false;
  if (!letter || !reader.program().profile.float_letter_prefix || (digits[1] | 0x20) == 'x') {
    known = try_number(problem);
    if (known && letter && reader.program().chars.is(*reader.p, char_name)) known = false;  // 0e1.5 was not 0e1
  }
  if (!known && letter) {
    if ((digits[1] | 0x20) == 'x') {
      if (!reader.program().profile.float_letter_prefix)
        return reader.error(start, "a hexadecimal floating-point constant needs an exponent: 0x1.8p3"), false;
      reader.warning(start,
                 "0x in front of a floating-point constant without exponent means nothing: the number is decimal");
    }
    reader.p = digits + 2;
    if (*reader.p == ':') return scan_bits(reader, f, out);
    if (!try_number(problem)) {
      out = {};  // nothing behind the letter is zero
      problem = FloatProblem::none;
    }
  }
  if (spaced && negative) flip_sign(f, out);
  switch (problem) {
    case FloatProblem::none: return true;
    case FloatProblem::out_of_range:
      reader.error(start, fmt::format("the number is out of the range of a {}-byte floating-point constant", f.bytes));
      return false;
    case FloatProblem::not_a_number: reader.expected(start, "a floating-point constant"); return false;
  }
  return false;
}

}  // namespace

bool emit_float_constant(Reader& reader, u32 format) {
  const FloatFormat& f = format_of(reader.program(), format);
  FloatBits bits{};
  if (!scan_constant(reader, f, bits)) return false;
  emit_float(reader.out, f, bits);
  return true;
}

/// .float number [, number]...
void directive_float(Reader& reader, u32 format) {
  if (at_end_of_statement(reader)) return;
  const FloatFormat& f = format_of(reader.program(), format);
  do {
    FloatBits bits{};
    if (!is_missing(reader) && !scan_constant(reader, f, bits)) return;
    emit_float(reader.out, f, bits);
  } while (accept_comma(reader));
}

/// .dcb.s count [, number]
void directive_float_block(Reader& reader, u32 format) {
  constexpr i64 limit = 1 << 24;
  const FloatFormat& f = format_of(reader.program(), format);
  i64 count;
  const char* where = reader.p;
  if (!reader.absolute(count, "the count")) return;
  FloatBits bits{};
  const bool has_number = accept_comma(reader);
  if (has_number && !is_missing(reader) && !scan_constant(reader, f, bits)) return;
  if (count < 0) return reader.warning(where, "negative count: nothing is emitted");
  if (count > limit) return reader.error(where, fmt::format("count {} exceeds the limit of {}", count, limit));
  if (count > 1 && reader.program().profile.float_blocks_are_fills) reader.out.fill_follows();
  // Where no number is given, GNU as has the size with the target's padding.
  const unsigned padding = f.bytes == 10 && !has_number ? reader.program().info.syntax.extended_size - f.bytes : 0u;
  for (i64 i = 0; i < count; ++i) {
    emit_float(reader.out, f, bits);
    if (padding) reader.out.emit_int(0, padding);
  }
}

}  // namespace xas
