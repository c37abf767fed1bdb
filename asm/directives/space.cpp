// SPDX-License-Identifier: Apache-2.0
// Space: fills, places, alignment, and the no-ops that fill gaps in code.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "asm/directives/directives.h"
#include "asm/read/parse.h"

namespace xas {

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
  reader.out.emit_fill(count, unsigned(size), fill_pattern(u64(value), unsigned(size)), loc);
}

namespace {

/// A count [, value]: of bytes, or (`counts_units`) of units of so many bytes each.
void reserve_space(Reader& reader, u32 unit, bool counts_units) {
  const SourceLoc loc = reader.here();
  Value count, value;
  if (!value_or_zero(reader, count)) return;
  const bool has_value = accept_comma(reader);
  const bool is_missing = has_value && at_end(reader);
  if (has_value && !value_or_zero(reader, value)) return;
  reader.out.fold(count);
  reader.out.fold(value);
  if (count.is_constant() && count.constant < 0) {
    // LLVM takes a negative number of units, but no negative size.
    if (!reader.program().profile.negative_fill_is_empty && !counts_units)
      return reader.error("size must not be negative");
    reader.program().diags.warning(loc, fmt::format("the size {} is negative; nothing is reserved", count.constant));
    return;
  }
  const bool is_zero = value.is_constant() && value.constant == 0;
  if (!is_zero && reader.out.ignores_fill(loc)) value = {};
  const i64 fill = value.constant;
  const bool constant = value.is_constant() && value.modifier == 0;
  const bool cut = constant && unit == 1 && !fits_in_bytes(fill, unit) &&
                   (reader.program().profile.truncate_data || !counts_units);
  if (cut) reader.program().diags.warning(loc, fmt::format("the fill value {} is cut to one byte", fill));
  const bool plain = constant && (fill == 0 || cut || (unit <= 4 && fits_in_bytes(fill, unit)));
  constexpr i64 limit = 1 << 20;
  const bool fills_bytes = !is_missing && fill >= -0x80 && fill <= 0xFF && (unit == 1 || fill == 0);
  const bool is_data = !fills_bytes && reader.program().profile.wide_fills_are_data && count.is_constant() &&
                       count.constant <= limit && !reader.out.holds_nothing();
  if (plain && !is_data) return reader.out.emit_fill(count, unit, fill_pattern(u64(fill), unit), loc);
  const bool wide = unit > 8;  // .ds.x
  if (wide && !(value.is_constant() && value.modifier == 0))
    return reader.error(fmt::format("a value of {} bytes must be a constant", unit));
  if (!count.is_constant())
    return reader.error("how often the value is repeated must be a constant known at this point" +
                        reader.program().values.explain_unknown(count));
  if (count.constant > limit) return reader.error(fmt::format("such a value can be repeated up to {} times", limit));
  for (i64 i = 0; i < count.constant; ++i) {
    if (wide) {
      reader.out.emit_int(u64(fill), 8);
      reader.out.emit_int(fill < 0 ? ~u64(0) : 0, unit - 8);
    } else if (plain) {
      reader.out.emit_int(u64(fill), unit);
    } else {
      reader.out.emit_value(value, unit, loc);
    }
  }
}

}  // namespace

/// .skip size [, fill], and .space and .zero
void directive_space(Reader& reader, u32) { reserve_space(reader, 1, false); }

/// .ds.w count [, value] and .dcb.w count, value: of `unit` bytes each
void directive_units(Reader& reader, u32 unit) { reserve_space(reader, unit, true); }

/// .ds.x and .ds.p: units of extended precision, 10 or 12 bytes
void directive_extended_units(Reader& reader, u32) {
  reserve_space(reader, reader.program().profile.x87_space ? reader.program().info.syntax.extended_size : 12, true);
}

/// .org location [, fill]
void directive_org(Reader& reader, u32) {
  const SourceLoc loc = reader.here();
  Value to;
  if (!value_or_zero(reader, to)) return;
  i64 fill = 0;
  if (accept_comma(reader) && !reader.absolute(fill, "the fill value")) return;
  if (u8(fill) && reader.out.ignores_fill(loc)) fill = 0;
  reader.out.emit_org(to, u8(fill), loc);
}

namespace {

/// What may be meant by an alignment that is no power of two.
std::string nearest_alignments(i64 n) {
  constexpr i64 most = i64(1) << 60, likely_exponent = 12;
  if (n <= 0 || n > most) return {};
  const u64 below = std::bit_floor(u64(n));
  return fmt::format("; {} and {} are{}", below, below * 2,
                     n <= likely_exponent ? fmt::format(", and '.p2align {}' is {} bytes", n, 1 << n) : "");
}

}  // namespace

/// .p2align exponent [, [fill] [, max]]; .balign alignment ...; .align: one of both, by target
void directive_align(Reader& reader, u32 flags) {
  const SourceLoc loc = reader.program().sources.statement_loc();
  const bool log2 = aligns_to_log2(flags, reader.program().info);
  const unsigned alone_log2 = (flags & align_target) ? reader.program().info.syntax.align_alone_log2 : 0;
  const unsigned fill_size = align_fill_size(flags);
  if (at_end_of_statement(reader)) {
    if (alone_log2) reader.out.emit_align(alone_log2, reader.out.current_section().is_code() ? 0 : 1, 0, 0, loc);
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
  const i64 largest = reader.program().largest_log2_align();
  i64 exponent = log2 ? n : n ? std::countr_zero(u64(n)) : 0;
  if (exponent > largest) {
    std::string message = beyond_alignment(exponent, u32(largest));
    if (!reader.program().profile.truncate_data) return reader.error(std::move(message));
    reader.warning(message + ", which is taken");
    exponent = largest;
  }
  const bool code =
      reader.out.current_section().is_code() &&
      (!has_fill || (reader.program().profile.no_op_fill_is_code && reader.program().options.target.no_op_fills &&
                     fill_size == 1 && fill >= 0 && fill == reader.program().target.nop_fill()));
  reader.out.emit_align(unsigned(exponent), code ? 0 : has_fill ? fill_size : 1, u64(fill), u64(max), loc);
}

/// .even: to an even address
void directive_even(Reader& reader, u32) {
  const Program& program = reader.program();
  const bool by_zeros = program.profile.even_is_data && program.info.mapping.fills_are_data;
  reader.out.emit_align(1, reader.out.current_section().is_code() && !by_zeros ? 0 : 1, 0, 0,
                        program.sources.statement_loc());
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
}

/// .prefalign log2, end, nop | fill: how far what lies before `end` is aligned depends on its size (layout). As in LLVM
/// the padding is neither code nor data to mapping symbols.
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
  const SymbolId first = reader.program().symbols.size();
  if (!expect_comma(reader, "the alignment") || !parse_symbol(reader, end, "the symbol at the end of what is aligned"))
    return;
  reader.out.referenced_quietly(first);
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
      NopsFragment{.bytes = size,
                   .nop_style = reader.program().target.nop_style(),
                   .longest = u8(std::min(largest, no_nop)),
                   .after_data = reader.program().info.mapping.notes_data && reader.out.mapping == Mapping::data},
      loc);
}

}  // namespace xas
