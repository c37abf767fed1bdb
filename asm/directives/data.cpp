// Data: integers, strings, LEB128, floats, fills, alignment, files.
#include <bit>

#include <fmt/format.h>

#include "asm/directives/directives.h"
#include "asm/parse.h"

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

bool fits(i64 v, unsigned size) {
  if (size == 8) return true;
  return v >= -(i64(1) << (8 * size - 1)) && v < (i64(1) << (8 * size));
}

/// A number too large for an expression.
struct BigNumber {
  unsigned __int128 value = 0;  ///< its low bits, two's complement
  bool over_64 = false, over_128 = false;
};

/// [-|~] number, if it is all of its operand; p moves to the operand's end.
bool scan_big_number(const Assembler& a, const char*& p, BigNumber& out) {
  const char* q = p;
  if (*q == '-' || *q == '~') {
    const bool complement = *q == '~';
    q = skip_blanks(a.chars, q + 1);
    if (u8(*q - '0') > 9 || !scan_big_number(a, q, out)) return false;
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
  unsigned __int128 value = 0;
  for (; a.chars.is(*q, char_hex); ++q) {
    const unsigned d = u8(*q - '0') <= 9 ? unsigned(*q - '0') : unsigned((*q | 0x20) - 'a' + 10);
    if (d >= base) return false;
    if (value > (~(unsigned __int128)0 - d) / base) out.over_128 = true;
    value = value * base + d;
  }
  if (q == digits) return false;
  q = skip_blanks(a.chars, q);
  if (*q != ',' && !a.chars.is(*q, char_end)) return false;
  out.over_64 = out.over_128 || (value >> 64) != 0;
  out.value = value;
  p = q;
  return true;
}

/// Such a number in a field of `size` bytes; false if there is none at the cursor.
bool emit_big_number(Assembler& a, unsigned size) {
  constexpr u32 shortest = 19;  // 0x1_0000_0000_0000_0000
  if (u8(*a.p - '0') <= 9 ? name_length(a.p) < shortest : *a.p != '-') return false;
  BigNumber n;
  const char* const where = a.p;
  const char* end = a.p;
  if (!scan_big_number(a, end, n) || !n.over_64) return false;
  a.p = end;
  std::string message = fmt::format("number does not fit in {} byte{}", size, size == 1 ? "" : "s");
  if (!a.profile.truncate_data) {
    a.error(where, std::move(message));
    return true;
  }
  a.warning(where, message + "; its upper part is dropped");
  a.emit_int(u64(n.value), size);
  return true;
}

}  // namespace

/// .byte expression [, expression]...
void directive_data(Assembler& a, u32 size) {
  for (bool first = true;; first = false) {
    i64 plain;
    const char* after = a.p;
    if (scan_plain(a.chars, after, plain) && fits(plain, size) && !a.current->nobits && !a.frame_text) [[likely]] {
      a.p = after;
      if (!a.info.big_endian && std::endian::native == std::endian::little && !a.lines.pending_data) [[likely]] {
        a.data_follows();
        std::memcpy(a.current->reserve(8), &plain, 8);
        a.current->size += size;
      } else {
        a.emit_int(u64(plain), size);
      }
    } else {
      if (first && at_end_of_statement(a)) return;
      skip_blanks(a);
      const SourceLoc loc = a.here();
      if (a.profile.missing_is_zero && (*a.p == ',' || at_end(a))) {
        a.warning(a.p, "a value is missing; it is taken as 0");
        a.emit_int(0, size);
      } else if (!emit_big_number(a, size)) {
        Value value;
        if (!a.current->nobits) a.data_follows();  // its symbol comes before those of the expression
        if (!a.expression_value(value)) return;
        if (!a.frame_text || !shorten_advance(a, value, size)) a.emit_value(value, size, loc);
      }
    }
    if (*a.p == '\n') return;
    if (!accept_comma(a)) return;
  }
}

void directive_word(Assembler& a, u32) { directive_data(a, a.info.word_size); }

/// .slong: as .long, for fields that are sign-extended where they are used
void directive_slong(Assembler& a, u32) {
  if (at_end_of_statement(a)) return;
  do {
    skip_blanks(a);
    const SourceLoc loc = a.here();
    Value value;
    if (emit_big_number(a, 4)) continue;
    if (!value_or_zero(a, value)) return;
    const std::size_t before = a.current->fixups.size();
    a.emit_value(value, 4, loc);
    if (a.current->fixups.size() == before) continue;
    Fixup& f = a.current->fixups.back();
    if (f.kind == fixup_data4) f.kind = a.target.signed_data_kind();
  } while (accept_comma(a));
}

/// .rva: an address relative to the image's start, which is a thing of COFF.
void directive_no_rva(Assembler& a, u32) {
  a.error(a.statement_start, "only COFF has addresses relative to the image");
  a.skip_statement();
}

void directive_address(Assembler& a, u32) { directive_data(a, a.info.address_size); }

namespace {

/// A LEB128 number of more than 64 bits; false if there is none at the cursor.
bool emit_big_leb(Assembler& a, bool is_signed) {
  constexpr u32 shortest = 18;  // 0x8000_0000_0000_0000
  if (name_length(a.p + (*a.p == '-')) < shortest) return false;
  BigNumber n;
  const char* end = a.p;
  if (!scan_big_number(a, end, n)) return false;
  const bool wide = is_signed && a.profile.wide_leb && i64(n.value) != __int128(n.value);
  if (!n.over_64 && !wide) return false;
  if (n.over_128) {
    a.error_here("number does not fit in 128 bits");
    return true;
  }
  a.p = end;
  u8 bytes[20];
  unsigned size = 0;
  for (bool more = true; more; ++size) {
    const u8 low = u8(n.value) & 0x7f;
    n.value = is_signed ? (unsigned __int128)(__int128(n.value) >> 7) : n.value >> 7;
    more = is_signed ? n.value != ((low & 0x40) ? ~(unsigned __int128)0 : 0) : n.value != 0;
    bytes[size] = u8(low | (more ? 0x80 : 0));
  }
  a.emit_bytes(bytes, size);
  return true;
}

}  // namespace

/// .uleb128 expression [, expression]...
void directive_leb(Assembler& a, u32 is_signed) {
  if (!a.profile.missing_is_zero && at_end_of_statement(a)) return;
  do {
    skip_blanks(a);
    const SourceLoc loc = a.here();
    Value value;
    if (emit_big_leb(a, is_signed)) continue;
    if (i64 plain; scan_plain(a.chars, a.p, plain)) {
      value.constant = plain;
    } else if (!value_or_zero(a, value)) {
      return;
    }
    if (!a.frame_text || !shorten_advance(a, value, 0)) a.emit_leb(value, is_signed != 0, loc);
  } while (*a.p != '\n' && accept_comma(a));
}

namespace {

/// <number>: one character by its code
bool emit_character(Assembler& a, unsigned width) {
  ++a.p;
  Value code;
  const SourceLoc loc = a.here();
  i64 number;
  if (!a.term(a.p, code) || !a.absolute_of(code, number, "the character's code", loc)) return false;
  if (*a.p != '>') return a.error_here("expected '>'"), false;
  ++a.p;
  a.emit_int(u64(number), width);
  return true;
}

/// Adjacent strings, which are one.
bool emit_strings(Assembler& a, unsigned width, bool zero) {
  std::string storage;
  do {
    std::string_view text;
    if (!parse_string(a, text, storage)) return false;
    if (width == 1) {
      a.emit_bytes(text.data(), text.size());
    } else {
      for (char c : text) a.emit_int(u8(c), width);
    }
    skip_blanks(a);
  } while (*a.p == '"');
  if (zero) a.emit_int(0, width);
  return true;
}

}  // namespace

/// .ascii "text" [, "text"]...; adjacent strings join. Behind a character by its code, .asciz puts no zero.
void directive_ascii(Assembler& a, u32 flags) {
  const unsigned width = flags & string_wide2 ? 2 : flags & string_wide4 ? 4 : flags & string_wide8 ? 8 : 1;
  if (at_end_of_statement(a)) return;
  do {
    skip_blanks(a);
    if (a.profile.missing_is_zero && (*a.p == ',' || at_end(a))) continue;
    do {
      if (*a.p == '<' ? !emit_character(a, width) : !emit_strings(a, width, flags & string_zero)) return;
      skip_blanks(a);
    } while (*a.p == '"' || *a.p == '<');
  } while (accept_comma(a));
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
void directive_base64(Assembler& a, u32) {
  if (at_end_of_statement(a)) return;
  std::string storage;
  do {
    skip_blanks(a);
    const char* where = a.p;
    std::string_view text;
    if (!parse_string(a, text, storage)) return;
    std::string bytes;
    if (!decode_base64(text, bytes))
      return a.error(where, "not valid base64: groups of four of A-Z a-z 0-9 + /, padded with '='");
    a.emit_bytes(bytes.data(), bytes.size());
  } while (accept_comma(a));
}

/// .octa number [, number]...
void directive_octa(Assembler& a, u32) {
  if (at_end_of_statement(a)) return;
  do {
    skip_blanks(a);
    BigNumber n;
    const char* where = a.p;
    if (!scan_big_number(a, a.p, n)) {
      i64 constant;
      if (!a.absolute(constant, "a 16-byte value")) return;
      if (a.p == where && !a.profile.missing_is_zero) return a.error_here("expected a number of up to 128 bits");
      n.value = u64(constant);
    }
    if (n.over_128) {
      if (!a.profile.truncate_data) return a.error(where, "number does not fit in 16 bytes");
      a.warning(where, "number does not fit in 16 bytes; its upper part is dropped");
    }
    const u64 low = u64(n.value), high = u64(n.value >> 64);
    a.emit_int(a.info.big_endian ? high : low, 8);
    a.emit_int(a.info.big_endian ? low : high, 8);
  } while (accept_comma(a));
}

/// .fill count [, size [, value]]: of the value, the low four bytes count.
void directive_fill(Assembler& a, u32) {
  const SourceLoc loc = a.here();
  Value count;
  if (!value_or_zero(a, count)) return;
  i64 size = 1, value = 0;
  if (accept_comma(a)) {
    if (!a.absolute(size, "the size")) return;
    if (accept_comma(a) && !a.absolute(value, "the fill value")) return;
  }
  if (size < 0) {
    a.warning(a.statement_start, ".fill with a negative size does nothing");
    return;
  }
  if (size > 8) {
    a.warning(a.statement_start, fmt::format(".fill size {} is taken as 8", size));
    size = 8;
  }
  a.fold(count);
  if (count.is_constant() && count.constant < 0) {
    a.warning(a.statement_start, ".fill with a negative count does nothing");
    return;
  }
  if (size == 0) return;
  const u64 mask = size >= 4 ? 0xffffffffull : (1ull << (8 * size)) - 1;
  a.emit_fill(count, unsigned(size), u64(value) & mask, loc);
}

/// .skip size [, fill]; .ds.w count [, value] and .dcb.w count, value: of `unit` bytes each
void directive_space(Assembler& a, u32 unit) {
  const SourceLoc loc = a.here();
  Value count, value;
  if (!value_or_zero(a, count)) return;
  if (accept_comma(a) && !value_or_zero(a, value)) return;
  a.fold(count);
  a.fold(value);
  if (count.is_constant() && count.constant < 0) {
    // LLVM takes a negative number of units in .ds and .dcb, but no negative size.
    const bool units = a.statement_start[1] == 'd' || a.statement_start[1] == 'D';
    if (!a.profile.negative_fill_is_empty && !units) return a.error(a.statement_start, "size must not be negative");
    a.warning(a.statement_start, "negative size; nothing is reserved");
    return;
  }
  const i64 fill = value.constant;
  const bool plain = value.is_constant() && value.modifier == 0 && (fill == 0 || (unit <= 4 && fits(fill, unit)));
  if (plain) return a.emit_fill(count, unit, u64(fill) & (unit >= 4 ? ~u32(0) : (1u << (8 * unit)) - 1), loc);
  constexpr i64 limit = 1 << 20;
  const bool wide = unit > 8;  // .ds.x
  if (wide && !(value.is_constant() && value.modifier == 0))
    return a.error(a.statement_start, fmt::format("a value of {} bytes must be a constant", unit));
  if (!count.is_constant())
    return a.error(a.statement_start, "how often the value is repeated must be a constant known at this point");
  if (count.constant > limit)
    return a.error(a.statement_start, fmt::format("such a value can be repeated up to {} times", limit));
  for (i64 i = 0; wide && i < count.constant; ++i) {
    a.emit_int(u64(fill), 8);
    a.emit_int(fill < 0 ? ~u64(0) : 0, unit - 8);
  }
  if (wide) return;
  for (i64 i = 0; i < count.constant; ++i) a.emit_value(value, unit, loc);
}

/// .ds.x and .ds.p: units of extended precision, 10 or 12 bytes
void directive_extended_space(Assembler& a, u32) {
  directive_space(a, a.profile.x87_space ? a.info.extended_size : 12);
}

void directive_zero(Assembler& a, u32) { directive_space(a, 1); }

/// .org location [, fill]
void directive_org(Assembler& a, u32) {
  const SourceLoc loc = a.here();
  Value to;
  if (!value_or_zero(a, to)) return;
  i64 fill = 0;
  if (accept_comma(a) && !a.absolute(fill, "the fill value")) return;
  a.emit_org(to, u8(fill), loc);
}

/// .p2align exponent [, [fill] [, max]]; .balign alignment ...; .align: one of both, by target
void directive_align(Assembler& a, u32 flags) {
  const SourceLoc loc = a.loc_of(a.statement_start);
  const bool log2 = (flags & align_log2) || ((flags & align_target) && a.info.align_is_log2);
  constexpr unsigned arm_word = 2;  // what .align alone means on ARM, and .align 0 in GNU as
  const unsigned fill_size = flags & align_fill2 ? 2 : flags & align_fill4 ? 4 : 1;
  if (at_end_of_statement(a)) {
    if ((flags & align_target) && a.options.target.machine == Machine::arm)
      a.emit_align(arm_word, a.current_section().is_code() ? 0 : 1, 0, 0, loc);
    return;
  }
  i64 n;
  if (!parse_integer(a, n, "the alignment")) return;
  if (n == 0 && (flags & align_target) && a.options.target.machine == Machine::arm && a.profile.align_zero_is_word)
    n = arm_word;
  i64 fill = 0, max = 0;
  bool has_fill = false;
  if (accept_comma(a)) {
    has_fill = *a.p != ',' && (a.profile.missing_is_zero || !at_end(a));
    if (has_fill && !parse_integer(a, fill, "the fill value")) return;
    if (accept_comma(a) && !parse_integer(a, max, "the most bytes to skip")) return;
  }
  if (log2 ? n < 0 : (u64(n) & (u64(n) - 1)) != 0)
    return a.error(a.statement_start, log2 ? fmt::format("alignment 2^{} is less than 1", n)
                                           : fmt::format("alignment {} is not a power of two", n));
  const i64 largest = a.info.elf64 ? 63 : 31;
  i64 exponent = log2 ? n : n ? std::countr_zero(u64(n)) : 0;
  if (exponent > largest) {
    std::string message = fmt::format("alignment 2^{} exceeds the limit of 2^{}", exponent, largest);
    if (!a.profile.truncate_data) return a.error(a.statement_start, std::move(message));
    a.warning(a.statement_start, message + ", which is taken");
    exponent = largest;
  }
  if (max < 0 || max > ~u32(0) || u64(max) >= u64(1) << exponent) max = 0;
  const bool code = a.current_section().is_code() &&
                    (!has_fill || (a.profile.no_op_fill_is_code && a.options.target.no_op_fills && fill_size == 1 &&
                                   fill == a.target.nop_fill()));
  a.emit_align(unsigned(exponent), code ? 0 : fill_size, u64(fill), u32(max), loc);
}

/// .even: to an even address
void directive_even(Assembler& a, u32) {
  a.emit_align(1, a.current_section().is_code() ? 0 : 1, 0, 0, a.loc_of(a.statement_start));
}

/// .nop [size]: single no-ops of the shortest kind, at least one
void directive_nop(Assembler& a, u32) {
  constexpr i64 limit = 1 << 20;
  i64 size = 0;
  if (!at_end_of_statement(a)) {
    Value value;
    if (!a.expression_value(value)) return;
    a.fold(value);
    if (value.is_constant()) size = value.constant;
  }
  if (!a.can_emit()) return;
  if (size > limit) return a.error(a.statement_start, fmt::format("size {} exceeds the limit of {}", size, limit));
  if (a.mapping < Mapping::code) a.map_code();
  const u64 start = a.current->size;
  do {
    const u64 before = a.current->size;
    static constexpr char nop[32] = "nop";
    const char* operands = nop + 3;
    a.out = a.current->reserve(2 * Emitter::max_instruction);
    if (a.lines.pending) a.lines.before_instruction(a);
    a.target.instruction({nop, 3, hash_name("nop")}, operands, a);
    if (a.current->size == before) return;  // reported
  } while (i64(a.current->size - start) < size);
}

/// .prefalign log2, end, nop | fill: how far what lies before `end` is aligned depends on its size (layout).
void directive_prefalign(Assembler& a, u32) {
  const SourceLoc loc = a.loc_of(a.statement_start);
  constexpr i64 max_log2 = 63;
  i64 log2, fill = 0;
  SymbolId end;
  const char* where = a.p;
  if (at_end_of_statement(a)) return a.error(where, "expected the exponent of the alignment");
  if (!a.absolute(log2, "the exponent of the alignment")) return;
  if (log2 < 0 || log2 > max_log2)
    return a.error(where, fmt::format("alignment 2**{} is not between 2**0 and 2**{}", log2, max_log2));
  if (!expect_comma(a, "the alignment") || !parse_symbol(a, end, "the symbol at the end of what is aligned")) return;
  if (!expect_comma(a, "the end symbol")) return;
  where = a.p;
  if (at_end_of_statement(a)) return a.error(where, "expected what to fill with: a number from 0 to 255, or 'nop'");
  const Name word = a.chars.is(*a.p, char_name_start) ? scan_name(a.chars, a.p) : Name{};
  const bool nops = word.size != 0 && word.text() == "nop";
  if (nops) {
    a.p += word.size;
  } else {
    if (!a.absolute(fill, "the fill value")) return;
    if (fill < 0 || fill > 255)
      return a.error(where, fmt::format("fill value {} is not between 0 and 255, nor 'nop'", fill));
  }
  if (a.current->nobits && fill) return void(a.can_emit());
  a.symbols[end].flags |= symbol_referenced;
  Flex& f = a.add_flex(FlexKind::prefalign, loc);
  f.state = u8(log2);
  f.add = end;
  f.fill = u32(fill);
  f.fill_size = nops ? 0 : 1;
  f.form = nops ? a.target.nop_style() : u16(0);
}

/// .nops size [, largest no-op]
void directive_nops(Assembler& a, u32) {
  const SourceLoc loc = a.here();
  Value size;
  if (!value_or_zero(a, size)) return;
  i64 largest = 0;
  if (accept_comma(a) && !a.absolute(largest, "the largest no-op")) return;
  if (largest < 0 || largest > 255)
    return a.error(a.statement_start, "the largest no-op must be between 0 and 255 bytes");
  if (!a.can_emit()) return;
  a.fold(size);
  if (size.is_constant() && size.constant < 0) {
    if (!a.profile.negative_fill_is_empty) return a.error(a.statement_start, "size must not be negative");
    return a.warning(a.statement_start, "negative size; nothing is emitted");
  }
  a.pin_dot(size);
  Flex& f = a.add_flex(FlexKind::nops, loc);
  f.constant = size.constant;
  f.add = size.add;
  f.sub = size.sub;
  f.fill = u32(largest);
  f.form = a.target.nop_style();
}

/// .incbin "file" [, skip [, count]]
void directive_incbin(Assembler& a, u32) {
  std::string name;
  skip_blanks(a);
  const char* const where = a.p;
  if (!parse_string(a, name)) return;
  i64 skip = 0, count = -1;
  if (accept_comma(a)) {
    if (*a.p != ',' && !a.absolute(skip, "the skip")) return;
    if (accept_comma(a) && !a.absolute(count, "the count")) return;
  }
  std::string error;
  const SourceBuffer* file = a.find_included(name, error);
  if (!file) return a.error(where, std::move(error));
  const i64 size = i64(file->size());
  if (skip < 0 || skip > size)
    return a.error(a.statement_start, fmt::format("skip {} is not between 0 and the file's size {}", skip, size));
  if (count < 0) count = size - skip;
  if (count > size - skip)
    return a.error(a.statement_start, fmt::format("the file has only {} bytes after the first {}", size - skip, skip));
  a.emit_bytes(file->begin + skip, u64(count));
}

/// .reloc offset, name [, expression]
void directive_reloc(Assembler& a, u32) {
  const SourceLoc loc = a.loc_of(a.statement_start);
  Value offset, value;
  const SymbolId first = a.symbols.size();
  if (!a.expression_value(offset) || !expect_comma(a, "the offset")) return;
  a.mentioned_quietly(first);
  const u32 n = name_length(a.p);
  const std::string_view name{a.p, n};
  const int type = a.target.relocation_number(name, a.options.target.format);
  if (type < 0) return a.error_here(fmt::format("unknown relocation '{}'", name));
  a.p += n;
  if (accept_comma(a)) {
    const char* const at = a.p;
    if (!a.expression_value(value)) return;
    // GNU as would add it to the contents, LLVM drops it.
    if (!a.info.rela && !a.is_coff && a.profile.reloc_names_section && type != 0 && value.constant != 0)
      return a.error(at, "this target's relocations have no addend; it belongs into the contents");
  }
  if (a.profile.reloc_lists_section && offset.is_constant()) {
    a.symbols[a.section_symbol(a.current_section())].flags |= symbol_in_relocation;
  }
  a.pin_dot(offset);
  a.pin_dot(value);
  a.add_reloc({.subsection = a.current->id, .offset = offset, .type = u32(type), .value = value, .loc = loc});
}

namespace {

void add_hint(Assembler& a, const Value& offset, std::string_view relocation, const Value& value) {
  int type = -1;
  for (const char* prefix : {"R_X86_64_", "R_386_", "R_ARM_"}) {
    if (type < 0) type = a.target.relocation_number(fmt::format("{}{}", prefix, relocation), a.options.target.format);
  }
  const SourceLoc loc = a.loc_of(a.statement_start);
  if (type < 0) return a.diags.error(loc, fmt::format("this target has no relocation {}", relocation));
  a.add_reloc({.subsection = a.current->id, .offset = offset, .type = u32(type), .value = value, .loc = loc});
}

}  // namespace

/// .vtable_inherit child, parent | 0: a hint for the linker, which drops unused virtual functions
void directive_vtable_inherit(Assembler& a, u32) {
  Value child, parent;
  if (*a.p == '#') ++a.p;
  if (!parse_symbol(a, child.add, "the class's table") || !expect_comma(a, "the class's table")) return;
  if (*a.p == '#') ++a.p;
  if (!a.symbols[child.add].is_defined()) {
    return a.error(a.statement_start,
                   fmt::format("'{}' must be defined before its .vtable_inherit", a.symbols[child.add].text()));
  }
  if (*a.p == '0') {
    ++a.p;
  } else if (!parse_symbol(a, parent.add, "the parent class's table, or 0")) {
    return;
  }
  add_hint(a, child, "GNU_VTINHERIT", parent);
}

/// .vtable_entry table, offset
void directive_vtable_entry(Assembler& a, u32) {
  Value table, offset{.add = dot_symbol};
  if (*a.p == '#') ++a.p;
  if (!parse_symbol(a, table.add, "the class's table") || !expect_comma(a, "the class's table")) return;
  if (*a.p == '#') ++a.p;
  if (!a.absolute(table.constant, "the entry's offset")) return;
  a.pin_dot(offset);
  add_hint(a, offset, "GNU_VTENTRY", table);
}

}  // namespace xas
