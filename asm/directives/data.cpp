// SPDX-License-Identifier: Apache-2.0
// Data: integers, strings, LEB128, floats, fills, alignment, files.
#include <bit>

#include <fmt/format.h>

#include "asm/directives/directives.h"
#include "asm/program/reloc_verbs.h"
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
        if (!reader.expression_value(value)) return;
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
  const bool wide = is_signed && reader.program().profile.wide_leb && shift_right_signed(n.value, 63) != shift_right_signed(n.value, 127);
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
  Value code;
  const SourceLoc loc = reader.here();
  i64 number;
  if (!reader.term(reader.p, code) || !reader.absolute_of(code, number, "the character's code", loc)) return false;
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

/// .fill count [, size [, value]]: of the value, the low four bytes count.
void directive_fill(Reader& reader, u32) {
  const SourceLoc loc = reader.here();
  Value count;
  if (!value_or_zero(reader, count)) return;
  i64 size = 1, value = 0;
  if (accept_comma(reader)) {
    if (!reader.absolute(size, "the size")) return;
    if (accept_comma(reader) && !reader.absolute(value, "the fill value")) return;
  }
  if (size < 0) {
    reader.warning(".fill with a negative size does nothing");
    return;
  }
  if (size > 8) {
    reader.warning(fmt::format(".fill size {} is taken as 8", size));
    size = 8;
  }
  reader.out.fold(count);
  if (count.is_constant() && count.constant < 0) {
    reader.warning(".fill with a negative count does nothing");
    return;
  }
  if (size == 0) count = {}, size = 1;  // still data to mapping symbols
  const u64 mask = size >= 4 ? 0xffffffffull : (1ull << (8 * size)) - 1;
  reader.out.emit_fill(count, unsigned(size), u64(value) & mask, loc);
}

/// .skip size [, fill]; .ds.w count [, value] and .dcb.w count, value: of `unit` bytes each
void directive_space(Reader& reader, u32 unit) {
  const SourceLoc loc = reader.here();
  Value count, value;
  if (!value_or_zero(reader, count)) return;
  if (accept_comma(reader) && !value_or_zero(reader, value)) return;
  reader.out.fold(count);
  reader.out.fold(value);
  if (count.is_constant() && count.constant < 0) {
    // LLVM takes a negative number of units in .ds and .dcb, but no negative size.
    const bool units = reader.program().sources.statement[1] == 'd' || reader.program().sources.statement[1] == 'D';
    if (!reader.program().profile.negative_fill_is_empty && !units) return reader.error("size must not be negative");
    reader.program().diags.warning(loc, fmt::format("the size {} is negative; nothing is reserved", count.constant));
    return;
  }
  const i64 fill = value.constant;
  const bool plain =
      value.is_constant() && value.modifier == 0 && (fill == 0 || (unit <= 4 && fits_in_bytes(fill, unit)));
  if (plain) return reader.out.emit_fill(count, unit, u64(fill) & (unit >= 4 ? ~u32(0) : (1u << (8 * unit)) - 1), loc);
  constexpr i64 limit = 1 << 20;
  const bool wide = unit > 8;  // .ds.x
  if (wide && !(value.is_constant() && value.modifier == 0))
    return reader.error(fmt::format("a value of {} bytes must be a constant", unit));
  if (!count.is_constant())
    return reader.error("how often the value is repeated must be a constant known at this point" +
                        reader.program().values.explain_unknown(count));
  if (count.constant > limit) return reader.error(fmt::format("such a value can be repeated up to {} times", limit));
  for (i64 i = 0; wide && i < count.constant; ++i) {
    reader.out.emit_int(u64(fill), 8);
    reader.out.emit_int(fill < 0 ? ~u64(0) : 0, unit - 8);
  }
  if (wide) return;
  for (i64 i = 0; i < count.constant; ++i) reader.out.emit_value(value, unit, loc);
}

/// .ds.x and .ds.p: units of extended precision, 10 or 12 bytes
void directive_extended_space(Reader& reader, u32) {
  directive_space(reader, reader.program().profile.x87_space ? reader.program().info.syntax.extended_size : 12);
}

void directive_zero(Reader& reader, u32) { directive_space(reader, 1); }

/// .org location [, fill]
void directive_org(Reader& reader, u32) {
  const SourceLoc loc = reader.here();
  Value to;
  if (!value_or_zero(reader, to)) return;
  i64 fill = 0;
  if (accept_comma(reader) && !reader.absolute(fill, "the fill value")) return;
  reader.out.emit_org(to, u8(fill), loc);
}

/// What may be meant by an alignment that is no power of two.
static std::string nearest_alignments(i64 n) {
  constexpr i64 most = i64(1) << 60, likely_exponent = 12;
  if (n <= 0 || n > most) return {};
  const u64 below = std::bit_floor(u64(n));
  return fmt::format("; {} and {} are{}", below, below * 2,
                     n <= likely_exponent ? fmt::format(", and '.p2align {}' is {} bytes", n, 1 << n) : "");
}

/// .p2align exponent [, [fill] [, max]]; .balign alignment ...; .align: one of both, by target
void directive_align(Reader& reader, u32 flags) {
  const SourceLoc loc = reader.program().sources.statement_loc();
  const bool log2 = (flags & align_log2) || ((flags & align_target) && reader.program().info.syntax.align_is_log2);
  const unsigned alone_log2 = (flags & align_target) ? reader.program().info.syntax.align_alone_log2 : 0;
  const unsigned fill_size = flags & align_fill2 ? 2 : flags & align_fill4 ? 4 : 1;
  if (at_end_of_statement(reader)) {
    if (alone_log2)
      reader.out.emit_align(alone_log2, reader.out.current_section().is_code() ? 0 : 1, 0, 0, loc);
    return;
  }
  i64 n;
  const char* const at = reader.p;
  if (!parse_integer(reader, n, "the alignment")) return;
  if (n == 0 && alone_log2 && reader.program().profile.align_zero_is_word) n = alone_log2;
  i64 fill = 0, max = 0;
  bool has_fill = false;
  if (accept_comma(reader)) {
    has_fill = *reader.p != ',' && (reader.program().profile.missing_is_zero || !at_end(reader));
    if (has_fill && !parse_integer(reader, fill, "the fill value")) return;
    if (accept_comma(reader) && !parse_integer(reader, max, "the most bytes to skip")) return;
  }
  if (log2 ? n < 0 : (u64(n) & (u64(n) - 1)) != 0)
    return reader.error(at, log2 ? fmt::format("alignment 2^{} is less than 1", n)
                                 : fmt::format("alignment {0} is not a power of two{1}", n, nearest_alignments(n)));
  const i64 largest = reader.program().info.elf.is_64 ? 63 : 31;
  i64 exponent = log2 ? n : n ? std::countr_zero(u64(n)) : 0;
  if (exponent > largest) {
    std::string message = fmt::format("alignment 2^{} exceeds the limit of 2^{}", exponent, largest);
    if (!reader.program().profile.truncate_data) return reader.error(std::move(message));
    reader.warning(message + ", which is taken");
    exponent = largest;
  }
  if (max < 0 || max > ~u32(0) || u64(max) >= u64(1) << exponent) max = 0;
  const bool code =
      reader.out.current_section().is_code() &&
      (!has_fill || (reader.program().profile.no_op_fill_is_code && reader.program().options.target.no_op_fills &&
                     fill_size == 1 && fill == reader.program().target.nop_fill()));
  reader.out.emit_align(unsigned(exponent), code ? 0 : fill_size, u64(fill), u32(max), loc);
}

/// .even: to an even address
void directive_even(Reader& reader, u32) {
  reader.out.emit_align(1, reader.out.current_section().is_code() ? 0 : 1, 0, 0,
                        reader.program().sources.statement_loc());
}

/// .nop [size]: single no-ops of the shortest kind, at least one
void directive_nop(Reader& reader, u32) {
  constexpr i64 limit = 1 << 20;
  i64 size = 0;
  if (!at_end_of_statement(reader)) {
    Value value;
    if (!reader.expression_value(value)) return;
    reader.out.fold(value);
    if (value.is_constant()) size = value.constant;
  }
  if (!reader.out.can_emit()) return;
  if (size > limit) return reader.error(fmt::format("size {} exceeds the limit of {}", size, limit));
  if (reader.out.mapping < Mapping::code) reader.out.map_code();
  const u64 start = reader.out.current->size;
  do {
    const u64 before = reader.out.current->size;
    static constexpr char nop[32] = "nop";
    const char* operands = nop + 3;
    reader.out.out = reader.out.current->reserve(2 * Emitter::max_instruction);
    if (reader.program().lines.pending) reader.program().lines.before_instruction(reader.out);
    reader.program().target.instruction({nop, 3, hash_name("nop")}, operands, reader.out);
    if (reader.out.current->size == before) return;  // reported
  } while (i64(reader.out.current->size - start) < size);
  reader.out.ends_in_no_op();
}

/// .prefalign log2, end, nop | fill: how far what lies before `end` is aligned depends on its size (layout). As in LLVM
/// the padding is neither code nor data to mapping symbols, and there is none in COFF objects.
void directive_prefalign(Reader& reader, u32) {
  const SourceLoc loc = reader.program().sources.statement_loc();
  constexpr i64 max_log2 = 63;
  i64 log2, fill = 0;
  SymbolId end;
  const char* where = reader.p;
  if (at_end_of_statement(reader)) return reader.expected(where, "the exponent of the alignment");
  if (!reader.absolute(log2, "the exponent of the alignment")) return;
  if (log2 < 0 || log2 > max_log2)
    return reader.error(where, fmt::format("alignment 2**{} is not between 2**0 and 2**{}", log2, max_log2));
  if (!expect_comma(reader, "the alignment") || !parse_symbol(reader, end, "the symbol at the end of what is aligned"))
    return;
  if (!expect_comma(reader, "the end symbol")) return;
  where = reader.p;
  if (at_end_of_statement(reader)) return reader.expected(where, "what to fill with: a number from 0 to 255, or 'nop'");
  const Name word =
      reader.program().chars.is(*reader.p, char_name_start) ? scan_name(reader.program().chars, reader.p) : Name{};
  const bool nops = word.size != 0 && word.text() == "nop";
  if (nops) {
    reader.p += word.size;
  } else {
    if (!reader.absolute(fill, "the fill value")) return;
    if (fill < 0 || fill > 255)
      return reader.error(where, fmt::format("fill value {} is not between 0 and 255, nor 'nop'", fill));
  }
  if (reader.out.holds_nothing() && (nops || fill))
    return reader.error(where, fmt::format("section {} has no contents, so that only 0 can fill it",
                                           reader.out.current_section().name));
  if (reader.program().is_coff) return;
  reader.out.emit_prefalign(PrefalignFragment{.end = end,
                                            .nop_style = reader.program().target.nop_style(),
                                            .fill = u8(fill),
                                            .fills_nops = nops,
                                            .max_log2 = u8(log2)},
                          loc);
}

/// .nops size [, largest no-op]
void directive_nops(Reader& reader, u32) {
  const SourceLoc loc = reader.here();
  Value size;
  if (!value_or_zero(reader, size)) return;
  i64 largest = 0;
  if (accept_comma(reader) && !reader.absolute(largest, "the largest no-op")) return;
  constexpr i64 no_nop = 255;  // longer than any: what is too long is told when layout is known
  if (largest < 0) {
    if (!reader.program().profile.negative_fill_is_empty)
      return reader.error("the size of the largest no-op must not be negative");
    reader.warning("the size of the largest no-op is negative; it is ignored");
    largest = 0;
  }
  if (!reader.out.can_emit()) return;
  reader.out.fold(size);
  if (size.is_constant() && size.constant < 0) {
    if (!reader.program().profile.negative_fill_is_empty) return reader.error("size must not be negative");
    return reader.warning("negative size; nothing is emitted");
  }
  reader.out.pin_dot(size);
  reader.out.add_fragment(
      NopsFragment{
          .bytes = size, .nop_style = reader.program().target.nop_style(), .longest = u8(std::min(largest, no_nop))},
      loc);
}

/// .incbin "file" [, skip [, count]]
void directive_incbin(Reader& reader, u32) {
  std::string name;
  skip_blanks(reader);
  const char* const where = reader.p;
  if (!parse_string(reader, name)) return;
  i64 skip = 0, count = -1;
  if (accept_comma(reader)) {
    if (*reader.p != ',' && !reader.absolute(skip, "the skip")) return;
    if (accept_comma(reader) && !reader.absolute(count, "the count")) return;
  }
  std::string error;
  const SourceBuffer* file = reader.find_included(name, error);
  if (!file) return reader.error(where, std::move(error));
  const i64 size = i64(file->size());
  if (skip < 0 || skip > size)
    return reader.error(fmt::format("skip {} is not between 0 and the file's size {}", skip, size));
  if (count < 0) count = size - skip;
  if (count > size - skip)
    return reader.error(fmt::format("the file has only {} bytes after the first {}", size - skip, skip));
  reader.out.emit_bytes(file->begin + skip, u64(count));
}

/// .reloc offset, name [, expression]
void directive_reloc(Reader& reader, u32) {
  const SourceLoc loc = reader.program().sources.statement_loc();
  Value offset, value;
  const SymbolId first = reader.program().symbols.size();
  if (!reader.expression_value(offset) || !expect_comma(reader, "the offset")) return;
  reader.out.referenced_quietly(first);
  const u32 n = name_length(reader.p);
  const std::string_view name{reader.p, n};
  const int type = reader.program().target.relocation_number(name, reader.program().options.target.format);
  const auto field = reader.program().target.relocated_field(name, reader.program().options.target.format);
  if (type < 0 && !field) return reader.error_here(fmt::format("unknown relocation '{}'", name));
  reader.p += n;
  if (accept_comma(reader)) {
    const char* const at = reader.p;
    if (!reader.expression_value(value)) return;
    // GNU as would add it to the contents, LLVM drops it.
    if (!reader.program().info.elf.rela && !reader.program().is_coff && reader.program().profile.reloc_names_section &&
        type != 0 && value.constant != 0)
      return reader.error(at, "this target's relocations have no addend; it belongs into the contents");
  }
  if (field) {
    if (field->modifier) value.modifier = field->modifier;
    return emit_relocated_field(reader.out, offset, field->size, value, loc);
  }
  emit_reloc(reader.out, offset, u32(type), value, loc);
}

/// .vtable_inherit child, parent | 0: a hint for the linker, which drops unused virtual functions
void directive_vtable_inherit(Reader& reader, u32) {
  Value child, parent;
  if (*reader.p == '#') ++reader.p;
  if (!parse_symbol(reader, child.add, "the class's table") || !expect_comma(reader, "the class's table")) return;
  if (*reader.p == '#') ++reader.p;
  if (!reader.program().symbols[child.add].is_defined()) {
    return reader.error(
        fmt::format("'{}' must be defined before its .vtable_inherit", reader.program().symbols[child.add].text()));
  }
  if (*reader.p == '0') {
    ++reader.p;
  } else if (!parse_symbol(reader, parent.add, "the parent class's table, or 0")) {
    return;
  }
  emit_hint(reader.out, child, "GNU_VTINHERIT", parent);
}

/// .vtable_entry table, offset
void directive_vtable_entry(Reader& reader, u32) {
  Value table, offset{.add = dot_symbol};
  if (*reader.p == '#') ++reader.p;
  if (!parse_symbol(reader, table.add, "the class's table") || !expect_comma(reader, "the class's table")) return;
  if (*reader.p == '#') ++reader.p;
  if (!reader.absolute(table.constant, "the entry's offset")) return;
  reader.out.pin_dot(offset);
  emit_hint(reader.out, offset, "GNU_VTENTRY", table);
}

}  // namespace xas
