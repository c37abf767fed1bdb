// SPDX-License-Identifier: Apache-2.0
// Data: integers, LEB128, strings, files.
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "asm/directives/directives.h"
#include "asm/read/parse.h"
#include "asm/text/u128.h"

namespace xas {

namespace {

/// A plain number that ends its operand, the bulk of compiler output; p moves behind it.
bool scan_plain(const CharTable& chars, const char*& p, i64& value) {
  u64 v;
  const char* q = plain_number(p, v);
  if (!q) return false;
  if (*q != '\n' && *q != ',') {
    if (*q != ' ' && *q != '\t') return false;
    q = skip_blanks(chars, q);  // LLVM puts a comment behind most data
    if (*q != '\n' && *q != ',' && !chars.starts_comment(q)) return false;
  }
  value = i64(v);
  p = q;
  return true;
}

/// A number too large for an expression.
struct BigNumber {
  u128 value = 0;  ///< its low bits, two's complement
  bool over_64 = false, over_128 = false;
};

/// [-|~] number, if it is all of its operand; p moves to the operand's end.
bool scan_big_number(const Program& program, const char*& p, BigNumber& out) {
  const char* q = p;
  if (*q == '-' || *q == '~') {
    const bool complement = *q == '~';
    q = skip_blanks(program.chars, q + 1);
    if (u8(*q - '0') > 9 || !scan_big_number(program, q, out)) return false;
    out.value = complement ? ~out.value : -out.value;
    p = q;
    return true;
  }
  if (u8(*q - '0') > 9) return false;
  unsigned base = 10;
  if (*q == '0') {
    const char x = char(q[1] | 0x20);
    base = x == 'x' ? 16 : x == 'b' ? 2 : 8;
    q += base == 8 ? 0 : 2;
  }
  const char* const digits = q;
  u128 value = 0;
  for (; program.chars.is(*q, char_hex); ++q) {
    const unsigned d = u8(*q - '0') <= 9 ? unsigned(*q - '0') : unsigned((*q | 0x20) - 'a' + 10);
    if (d >= base) return false;
    if (value > (~u128(0) - d) / base) out.over_128 = true;
    value = value * base + d;
  }
  if (q == digits) return false;
  q = skip_blanks(program.chars, q);
  if (*q != ',' && *q != ')' && !program.chars.is(*q, char_end)) return false;
  out.over_64 = out.over_128 || (value >> 64) != u128(0);
  out.value = value;
  p = q;
  return true;
}

}  // namespace

bool scan_number_128(Reader& reader, Number128& out) {
  BigNumber n;
  const char* end = reader.p;
  if (!scan_big_number(reader.program(), end, n)) return false;
  out = {.low = u64(n.value),
         .high = u64(n.value >> 64),
         .negative = *reader.p == '-',
         .fits_64 = !n.over_64,
         .overflow = n.over_128};
  reader.p = end;
  return true;
}

namespace {

/// Such a number in a field of `size` bytes; false if there is none at the cursor.
bool emit_big_number(Reader& reader, unsigned size) {
  constexpr u32 shortest = 19;  // 0x1_0000_0000_0000_0000
  if (u8(*reader.p - '0') <= 9 ? name_length(reader.p) < shortest : *reader.p != '-') return false;
  BigNumber n;
  const char* const where = reader.p;
  const char* end = reader.p;
  if (!scan_big_number(reader.program(), end, n) || !n.over_64) return false;
  reader.p = end;
  std::string message = fmt::format("number does not fit in {} byte{}", size, size == 1 ? "" : "s");
  if (!reader.program().profile.truncate_data) {
    reader.error(where, std::move(message));
    return true;
  }
  reader.warning(where, message + "; its upper part is dropped");
  reader.out.emit_int(u64(n.value), size);
  return true;
}

}  // namespace

/// .byte expression [, expression]...
void directive_data(Reader& reader, u32 size) {
  if (reader.out.wants_frame_steps && size == 1) [[unlikely]]
    reader.out.no_frame_steps(reader.program().sources.statement,
                              "--scfi does not know what instructions do that are written as bytes");
  for (bool first = true;; first = false) {
    i64 plain;
    const char* after = reader.p;
    if (scan_plain(reader.program().chars, after, plain) && fits_in_bytes(plain, size) && !reader.out.current->nobits &&
        !reader.out.frame_text) [[likely]] {
      reader.p = after;
      if (!reader.program().info.big_endian && std::endian::native == std::endian::little &&
          !reader.program().lines.pending_data) [[likely]] {
        reader.out.data_follows();
        std::memcpy(reader.out.current->reserve(8), &plain, 8);
        reader.out.current->size += size;
      } else {
        reader.out.emit_int(u64(plain), size);
      }
    } else {
      if (first && at_end_of_statement(reader)) return;
      skip_blanks(reader);
      const SourceLoc loc = reader.here();
      if (reader.program().profile.missing_is_zero && (*reader.p == ',' || at_end(reader))) {
        reader.warning(reader.p, "a value is missing; it is taken as 0");
        reader.out.emit_int(0, size);
      } else if (!emit_big_number(reader, size)) {
        Value value;
        if (!reader.out.current->nobits) reader.out.data_follows();  // its symbol comes before those of the expression
        const char* const operand = reader.p;
        if (!reader.expression_value(value)) return;
        const bool is_real = reader.real_number >= operand && reader.real_number < reader.p;
        if (is_real && value.is_constant() && !fits_in_bytes(value.constant, size)) [[unlikely]]
          return reader.error(reader.real_number, "not an integer; numbers with a point or an exponent are for .float");
        if (!reader.out.frame_text || !shorten_advance(reader.out, value, size))
          reader.out.emit_value(value, size, loc);
      }
    }
    if (*reader.p == '\n') return;
    if (!accept_comma(reader)) return;
  }
}

void directive_word(Reader& reader, u32) { directive_data(reader, reader.program().info.syntax.word_size); }

/// .slong: as .long, for fields that are sign-extended where they are used
void directive_slong(Reader& reader, u32) {
  if (at_end_of_statement(reader)) return;
  do {
    skip_blanks(reader);
    const SourceLoc loc = reader.here();
    Value value;
    if (emit_big_number(reader, 4)) continue;
    if (!value_or_zero(reader, value)) return;
    const std::size_t before = reader.out.current->fixups.size();
    reader.out.emit_value(value, 4, loc);
    if (reader.out.current->fixups.size() == before) continue;
    Fixup& f = reader.out.current->fixups.back();
    if (f.kind == fixup_data4) f.kind = reader.program().target.signed_data_kind();
  } while (accept_comma(reader));
}

/// .rva: an address relative to the image's start, which is a thing of COFF.
void directive_no_rva(Reader& reader, u32) {
  reader.error("only COFF has addresses relative to the image");
  reader.skip_statement();
}

void directive_address(Reader& reader, u32) { directive_data(reader, reader.program().info.address_size); }

namespace {

/// A LEB128 number of more than 64 bits; false if there is none at the cursor.
bool emit_big_leb(Reader& reader, bool is_signed) {
  constexpr u32 shortest = 18;  // 0x8000_0000_0000_0000
  if (name_length(reader.p + (*reader.p == '-')) < shortest) return false;
  BigNumber n;
  const char* end = reader.p;
  if (!scan_big_number(reader.program(), end, n)) return false;
  const bool wide = is_signed && reader.program().profile.wide_leb &&
                    shift_right_signed(n.value, 63) != shift_right_signed(n.value, 127);
  if (!n.over_64 && !wide) return false;
  if (n.over_128) {
    reader.error_here("number does not fit in 128 bits");
    return true;
  }
  reader.p = end;
  u8 bytes[20];
  unsigned size = 0;
  for (bool more = true; more; ++size) {
    const u8 low = u8(n.value) & 0x7f;
    n.value = is_signed ? shift_right_signed(n.value, 7) : n.value >> 7;
    more = is_signed ? n.value != ((low & 0x40) ? ~u128(0) : u128(0)) : n.value != u128(0);
    bytes[size] = u8(low | (more ? 0x80 : 0));
  }
  reader.out.emit_bytes(bytes, size);
  return true;
}

}  // namespace

/// .uleb128 expression [, expression]...
void directive_leb(Reader& reader, u32 is_signed) {
  if (!reader.program().profile.missing_is_zero && at_end_of_statement(reader)) return;
  do {
    skip_blanks(reader);
    const SourceLoc loc = reader.here();
    Value value;
    if (emit_big_leb(reader, is_signed)) continue;
    if (i64 plain; scan_plain(reader.program().chars, reader.p, plain)) {
      value.constant = plain;
    } else if (!value_or_zero(reader, value)) {
      return;
    }
    if (!reader.out.frame_text || !shorten_advance(reader.out, value, 0))
      reader.out.emit_leb(value, is_signed != 0, loc);
  } while (*reader.p != '\n' && accept_comma(reader));
}

namespace {

/// <number>: one character by its code
bool emit_character(Reader& reader, unsigned width) {
  ++reader.p;
  skip_blanks(reader);
  Value code;
  const SourceLoc loc = reader.here();
  i64 number;
  if (!reader.term(reader.p, code) || !reader.absolute_of(code, number, "the character's code", loc)) return false;
  skip_blanks(reader);
  if (*reader.p != '>') return reader.expected("'>'"), false;
  ++reader.p;
  reader.out.emit_int(u64(number), width);
  return true;
}

/// Adjacent strings, which are one.
bool emit_strings(Reader& reader, unsigned width, bool zero) {
  std::string storage;
  do {
    std::string_view text;
    if (!parse_string(reader, text, storage)) return false;
    if (width == 1) {
      reader.out.emit_bytes(text.data(), text.size());
    } else {
      for (char c : text) reader.out.emit_int(u8(c), width);
    }
    skip_blanks(reader);
  } while (*reader.p == '"');
  if (zero) reader.out.emit_int(0, width);
  return true;
}

}  // namespace

/// .ascii "text" [, "text"]...; adjacent strings join. Behind a character by its code, .asciz puts no zero.
void directive_ascii(Reader& reader, u32 flags) {
  const unsigned width = flags & string_wide2 ? 2 : flags & string_wide4 ? 4 : flags & string_wide8 ? 8 : 1;
  if (at_end_of_statement(reader)) return;
  do {
    skip_blanks(reader);
    if (reader.program().profile.missing_is_zero && (*reader.p == ',' || at_end(reader))) continue;
    do {
      if (*reader.p == '<' ? !emit_character(reader, width) : !emit_strings(reader, width, flags & string_zero)) return;
      skip_blanks(reader);
    } while (*reader.p == '"' || *reader.p == '<');
  } while (accept_comma(reader));
}

namespace {

bool decode_base64(std::string_view text, std::string& out) {
  if (text.size() % 4) return false;
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const bool last = i + 4 == text.size();
    const unsigned padding = last ? (text[i + 3] == '=') + (text[i + 2] == '=' && text[i + 3] == '=') : 0;
    u32 group = 0;
    for (unsigned k = 0; k < 4; ++k) {
      constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
      const auto d = k >= 4 - padding ? 0 : digits.find(text[i + k]);
      if (d == digits.npos) return false;
      group = group << 6 | u32(d);
    }
    for (unsigned k = 0; k < 3 - padding; ++k) out += char(group >> (16 - 8 * k));
  }
  return true;
}

}  // namespace

/// .base64 "text" [, "text"]...
void directive_base64(Reader& reader, u32) {
  if (at_end_of_statement(reader)) return;
  std::string storage;
  do {
    skip_blanks(reader);
    const char* where = reader.p;
    std::string_view text;
    if (!parse_string(reader, text, storage)) return;
    if (text.empty()) return reader.error(where, ".base64 takes text that is not empty");
    std::string bytes;
    if (!decode_base64(text, bytes))
      return reader.error(where, "not valid base64: groups of four of A-Z a-z 0-9 + /, padded with '='");
    reader.out.emit_bytes(bytes.data(), bytes.size());
  } while (accept_comma(reader));
}

/// .octa number [, number]...
void directive_octa(Reader& reader, u32) {
  if (at_end_of_statement(reader)) return;
  do {
    skip_blanks(reader);
    BigNumber n;
    const char* where = reader.p;
    if (!scan_big_number(reader.program(), reader.p, n)) {
      i64 constant;
      if (!reader.absolute(constant, "a 16-byte value")) return;
      if (reader.p == where && !reader.program().profile.missing_is_zero)
        return reader.expected("a number of up to 128 bits");
      n.value = u64(constant);
    }
    if (n.over_128) {
      if (!reader.program().profile.truncate_data) return reader.error(where, "number does not fit in 16 bytes");
      reader.warning(where, "number does not fit in 16 bytes; its upper part is dropped");
    }
    const u64 low = u64(n.value), high = u64(n.value >> 64);
    reader.out.emit_int(reader.program().info.big_endian ? high : low, 8);
    reader.out.emit_int(reader.program().info.big_endian ? low : high, 8);
  } while (accept_comma(reader));
}

/// .incbin "file" [, skip [, count]]
void directive_incbin(Reader& reader, u32) {
  std::string name;
  skip_blanks(reader);
  const char* const where = reader.p;
  if (!parse_string(reader, name)) return;
  i64 skip = 0, count = 0;
  bool has_count = false;
  if (accept_comma(reader)) {
    if (*reader.p != ',' && !reader.absolute(skip, "the skip")) return;
    has_count = accept_comma(reader);
    if (has_count && !reader.absolute(count, "the count")) return;
  }
  std::string error;
  const SourceBuffer* file = reader.find_included(name, error);
  if (!file) return reader.error(where, std::move(error));
  const i64 size = i64(file->size());
  if (skip < 0 || skip > size)
    return reader.error(fmt::format("skip {} is not between 0 and the file's size {}", skip, size));
  if (count < 0) {
    std::string message = fmt::format("count {} is negative", count);
    if (reader.program().profile.incbin_zero_is_rest) return reader.error(std::move(message));
    return reader.warning(std::move(message) + "; nothing is taken");
  }
  if (!has_count || (count == 0 && reader.program().profile.incbin_zero_is_rest)) count = size - skip;
  if (count > size - skip)
    return reader.error(fmt::format("the file has only {} bytes after the first {}", size - skip, skip));
  if (count == 0 && reader.program().profile.maps_all_data) reader.out.data_follows();
  reader.out.emit_bytes(file->begin + skip, u64(count));
}

}  // namespace xas
