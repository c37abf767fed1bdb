// SPDX-License-Identifier: Apache-2.0
// .pcsection: entries of PC sections, and .pcsection_offset (docs/pc-sections.md).
//
//   .pcsection [ADDRESS [, END],] "SECTION[!OPTIONS]" [, (TYPE VALUE [, TYPE VALUE]...)]... [, "SECTION2..." ...]
//
// The entry is written where it is read, as if by .pushsection, data directives and .popsection. LLVM, "PC Sections
// Metadata".
#include "asm/program/pc_section.h"

#include <fmt/format.h>

#include "asm/directives/directives.h"
#include "asm/read/parse.h"
#include "objwriter/metadata/pc_section.h"

namespace xas {

namespace {

struct Type {
  enum Kind : u8 { integer, pointer, float_, double_ } kind = integer;
  unsigned bits = 0;
  unsigned size = 0;  ///< bytes of its field
};

bool parse_type(Reader& reader, Type& type) {
  skip_blanks(reader);
  const u32 length = name_length(reader.p);
  const std::string_view word{reader.p, length};
  if (word == "ptr") {
    const unsigned size = reader.program().info.address_size;
    type = {Type::pointer, 8 * size, size};
  } else if (word == "float") {
    type = {Type::float_, 32, 4};
  } else if (word == "double") {
    type = {Type::double_, 64, 8};
  } else {
    const char* q = reader.p + 1;
    u64 bits = 0;
    bool overflow = false;
    const bool known = length > 1 && *reader.p == 'i' && scan_decimal(q, bits, overflow) && !overflow &&
                       q == reader.p + length && ((bits >= 1 && bits <= 64) || bits == 128);
    if (!known && length == 0) {
      reader.error_here("expected the type of a constant (known: i1 to i64, i128, ptr, float, double)");
      return false;
    }
    if (!known) {
      reader.error_here(
          fmt::format("'{}' is no type of a constant (known: i1 to i64, i128, ptr, float, double)", word));
      return false;
    }
    type = {Type::integer, unsigned(bits), pc_section::constant_size(unsigned(bits))};
  }
  reader.p += length;
  return true;
}

/// An i128: a number, without symbols.
bool emit_i128(Reader& reader) {
  Number128 n;
  const char* const where = reader.p;
  i64 constant;
  if (!scan_number_128(reader, n)) {
    if (!reader.absolute(constant, "a value of i128")) return false;
    n.low = u64(constant);
    n.high = constant < 0 ? ~u64(0) : 0;
  }
  const bool below = n.negative && n.high >> 63 == 0 && (n.high | n.low) != 0;
  if (n.overflow || below) return reader.error(where, "value does not fit in i128 (-2^127 to 2^128 - 1)"), false;
  const bool big_endian = reader.program().info.big_endian;
  reader.out.emit_int(big_endian ? n.high : n.low, 8);
  reader.out.emit_int(big_endian ? n.low : n.high, 8);
  return true;
}

bool emit_integer(Reader& reader, const Type& type, bool compress) {
  if (type.bits == 128) return emit_i128(reader);
  const char* const where = reader.p;
  const SourceLoc loc = reader.here();
  Value value;
  Number128 big;
  const char* const before = reader.p;
  if (scan_number_128(reader, big) && !big.fits_64) {
    return reader.error(where, fmt::format("the number does not fit in i{}", type.bits)), false;
  }
  reader.p = before;
  if (!reader.expression_value(value)) return false;
  const bool leb = compress && type.kind == Type::integer && type.size > 1;
  std::string problem = emit_pc_constant(reader.out, value, {type.bits, type.size, leb}, loc);
  if (problem.empty()) return true;
  return reader.error(where, std::move(problem)), false;
}

/// '(' TYPE VALUE [',' TYPE VALUE]... ')'
bool parse_constants(Reader& reader, bool compress) {
  ++reader.p;
  do {
    Type type;
    if (!parse_type(reader, type)) return false;
    skip_blanks(reader);
    const bool is_float = type.kind == Type::float_ || type.kind == Type::double_;
    if (is_float ? !emit_float_constant(reader, type.kind == Type::double_ ? float_8 : float_4)
                 : !emit_integer(reader, type, compress))
      return false;
  } while (accept_comma(reader));
  if (*reader.p != ')') return reader.error_here("expected ')' behind the constants"), false;
  ++reader.p;
  return true;
}

/// '"' SECTION ['!' OPTIONS] '"'; the name borrows from `text`.
bool parse_table(Reader& reader, std::string& text, pc_section::Name& name) {
  const char* const where = reader.p;
  std::string error;
  text.clear();
  if (!parse_string(reader, text)) return false;
  if (!pc_section::parse_name(text, name, error)) return reader.error(where, std::move(error)), false;
  if (name.section.find('\0') == name.section.npos) return true;
  return reader.error(where, "a section's name has a zero byte in it"), false;
}

/// `another`: a comma and a further section's name follow.
bool emit_entry(Reader& reader, const PcSubject& subject, bool& another) {
  std::string text;
  pc_section::Name name;
  if (!parse_table(reader, text, name)) return false;
  const PcEntry entry(reader.out, subject, name);
  if (!entry) return false;
  another = false;
  while (accept_comma(reader)) {
    another = *reader.p == '"';
    if (another) return true;
    if (*reader.p != '(') return reader.error_here("expected constants in parentheses, or a section's name"), false;
    if (!parse_constants(reader, name.compress)) return false;
  }
  return true;
}

/// ADDRESS or END: a symbol plus a number.
bool parse_address(Reader& reader, PcAddress& address) {
  skip_blanks(reader);
  const char* const where = reader.p;
  address.loc = reader.here();
  Value value;
  if (!reader.expression_value(value)) return false;
  if (address.set(reader.out, value)) return true;
  return reader.error(where, "expected a label, a label and a number, or the section's name in double quotes"), false;
}

}  // namespace

void directive_pcsection(Reader& reader, u32) {
  PcSubject subject;
  skip_blanks(reader);
  if (at_end(reader)) return reader.error("expected the section's name in double quotes");
  if (*reader.p == '"') {
    if (!reader.out.can_emit()) return;
    subject = next_instruction_as_subject(reader.out);
  } else {
    PcAddress begin, end;
    if (!parse_address(reader, begin) || !expect_comma(reader, "the address")) return;
    const bool is_range = *reader.p != '"';
    if (is_range && (!parse_address(reader, end) || !expect_comma(reader, "the range's end"))) return;
    if (!addresses_as_subject(reader.out, begin, is_range ? &end : nullptr, subject)) return;
    if (*reader.p != '"') return reader.error_here("expected the section's name in double quotes");
  }
  bool another;
  do {
    if (!emit_entry(reader, subject, another)) return;
  } while (another);
}

/// .pcsection_offset 4|8
void directive_pcsection_offset(Reader& reader, u32) {
  const char* const where = reader.p;
  i64 size;
  if (!parse_integer(reader, size, "the size of an offset")) return;
  if (std::string problem = set_pc_offset_size(reader.program(), size); !problem.empty())
    reader.error(where, std::move(problem));
}

}  // namespace xas
