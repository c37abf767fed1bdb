// SPDX-License-Identifier: Apache-2.0
// .pcsection: entries of PC sections, and .pcsection_offset (docs/pc-sections.md).
//
//   .pcsection [ADDRESS [, END],] "SECTION[!OPTIONS]" [, (TYPE VALUE [, TYPE VALUE]...)]... [, "SECTION2..." ...]
//
// The entry is written where it is read, as if by .pushsection, data directives and .popsection. LLVM, "PC Sections
// Metadata".
#include "asm/program/pc_section.h"

#include <fmt/format.h>

#include <utility>

#include "asm/directives/directives.h"
#include "asm/program/elf_sections.h"
#include "asm/read/parse.h"
#include "objwriter/metadata/pc_section.h"

namespace xas {

namespace {

/// What an entry is about, when its section is known.
struct Subject {
  SymbolId begin = no_symbol;
  SymbolId end = no_symbol;  ///< none: a single place
  u32 section = 0;           ///< of the code
  SourceLoc loc = 0;
};

/// Makes another section current for a while. Neither .previous nor a .loc that waits for an instruction notices.
class Detour {
 public:
  explicit Detour(Streamer& out)
      : out_(out),
        back_(*out.current),
        previous_(out.previous),
        pending_data_(std::exchange(out.program.lines.pending_data, false)),
        wants_sections_(std::exchange(out.program.lines.wants_sections, false)) {}
  ~Detour() {
    out_.return_to(back_, previous_);
    out_.program.lines.pending_data = pending_data_;
    out_.program.lines.wants_sections = wants_sections_;
  }
  Detour(const Detour&) = delete;
  Detour& operator=(const Detour&) = delete;

 private:
  Streamer& out_;
  Subsection& back_;
  Subsection* previous_;
  bool pending_data_, wants_sections_;
};

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
      reader.error_here(fmt::format("'{}' is no type of a constant (known: i1 to i64, i128, ptr, float, double)", word));
      return false;
    }
    type = {Type::integer, unsigned(bits), pc_section::constant_size(unsigned(bits))};
  }
  reader.p += length;
  return true;
}

/// `bits` up to 64: what is behind the field's width is cut off.
u64 low_bits(u64 value, unsigned bits) { return bits < 64 ? value & ((u64(1) << bits) - 1) : value; }

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

/// A compressed number that is not known yet: it is cut to its bits when it is.
void emit_later(Reader& reader, Value value, unsigned bits, SourceLoc loc) {
  Program& program = reader.program();
  reader.out.pin_dot(value);
  const u32 whole = program.exprs.leaf(value, loc);
  program.pc_sections.compressed.push_back({program.symbol_for(whole), bits, loc});
  u32 cut = whole;
  if (bits < 64) {
    const u32 mask = program.exprs.leaf({.constant = i64(low_bits(~u64(0), bits))}, loc);
    cut = program.exprs.node(ExprOp::bit_and, whole, mask, loc);
  }
  reader.out.emit_leb({.add = program.symbol_for(cut)}, false, loc);
}

bool emit_integer(Reader& reader, const Type& type, bool compress) {
  if (type.bits == 128) return emit_i128(reader);
  const char* const where = reader.p;
  const SourceLoc loc = reader.here();
  Value value;
  i64 number;
  Number128 big;
  const char* const before = reader.p;
  if (scan_number_128(reader, big) && !big.fits_64) {
    return reader.error(where, fmt::format("the number does not fit in i{}", type.bits)), false;
  }
  reader.p = before;
  if (!reader.expression_value(value)) return false;
  const bool leb = compress && type.kind == Type::integer && type.size > 1;
  const bool is_data = type.kind == Type::pointer || type.bits == type.size * 8;
  if (value.modifier == 0 && reader.out.number_by_now(value, number)) {
    if (std::string problem = misfit(number, type.bits); !problem.empty())
      return reader.error(where, std::move(problem)), false;
    const u64 cut = low_bits(u64(number), type.bits);
    leb ? reader.out.emit_leb({.constant = i64(cut)}, false, loc) : reader.out.emit_int(cut, type.size);
    return true;
  }
  if (leb && value.modifier == 0) return emit_later(reader, value, type.bits, loc), true;
  if (leb || !is_data) {
    return reader.error(where, fmt::format("a value of i{} must be a number{}", type.bits, leb ? "" : " known here")),
           false;
  }
  reader.out.emit_value(value, type.size, loc);
  return true;
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

bool emit_entry(Reader& reader, const Subject& subject) {
  std::string text;
  pc_section::Name name;
  if (!parse_table(reader, text, name)) return false;
  Program& program = reader.program();
  const Detour detour(reader.out);
  const u32 errors = program.diags.errors();
  Section& table = section_about(program, name.section, program.sections[subject.section]);
  if (program.diags.errors() != errors) return false;
  reader.out.switch_to(program.sections.sub(table.default_subsection));
  if (!reader.out.can_emit()) return false;
  reader.out.emit_value({.add = subject.begin, .sub = dot_symbol}, program.pc_sections.offset_size, subject.loc);
  if (subject.end != no_symbol) {
    const Value size{.add = subject.end, .sub = subject.begin};
    name.compress ? reader.out.emit_leb(size, false, subject.loc) : reader.out.emit_value(size, 4, subject.loc);
  }
  while (accept_comma(reader)) {
    if (*reader.p == '"') return true;
    if (*reader.p != '(') return reader.error_here("expected constants in parentheses, or a section's name"), false;
    if (!parse_constants(reader, name.compress)) return false;
  }
  return true;
}

/// ADDRESS or END: a symbol plus a number.
bool parse_address(Reader& reader, Value& value, SourceLoc& loc) {
  skip_blanks(reader);
  const char* const where = reader.p;
  loc = reader.here();
  if (!reader.expression_value(value)) return false;
  reader.out.pin_dot(value);
  if (value.modifier == 0 && value.is_symbol_plus_constant()) return true;
  return reader.error(where, "expected a label, a label and a number, or the section's name in double quotes"), false;
}

/// The section that a symbol is defined in by now; else the current one.
u32 section_of(const Streamer& out, SymbolId symbol) {
  i64 constant = 0;
  SymbolId label;
  const Program& program = out.program;
  if (!branch_target(program, symbol, constant, label) || program.symbols[label].kind != SymbolKind::label)
    return out.current->section;
  return program.sections.sub(program.symbols[label].where).section;
}

}  // namespace

void directive_pcsection(Reader& reader, u32) {
  Program& program = reader.program();
  Subject subject{.section = reader.out.current->section, .loc = program.sources.statement_loc()};
  skip_blanks(reader);
  if (at_end(reader)) return reader.error("expected the section's name in double quotes");
  if (*reader.p == '"') {
    if (!reader.out.can_emit()) return;
    subject.begin = place_of_next_instruction(reader.out);
  } else {
    Value begin, end;
    SourceLoc begin_loc, end_loc = 0;
    if (!parse_address(reader, begin, begin_loc) || !expect_comma(reader, "the address")) return;
    const bool is_range = *reader.p != '"';
    if (is_range && (!parse_address(reader, end, end_loc) || !expect_comma(reader, "the range's end"))) return;
    subject.section = section_of(reader.out, begin.add);
    if (program.sections[subject.section].absolute) return void(reader.out.can_emit());
    subject.begin = place_of_address(program, begin.add, begin.constant, subject.section, begin_loc);
    if (is_range) {
      subject.end = place_of_address(program, end.add, end.constant, subject.section, end_loc);
      program.pc_sections.ranges.push_back({subject.begin, subject.end, end_loc});
    }
    if (*reader.p != '"') return reader.error_here("expected the section's name in double quotes");
  }
  do {
    if (!emit_entry(reader, subject)) return;
  } while (*reader.p == '"');
}

/// .pcsection_offset 4|8
void directive_pcsection_offset(Reader& reader, u32) {
  const char* const where = reader.p;
  i64 size;
  if (!parse_integer(reader, size, "the size of an offset")) return;
  if (size != 4 && size != 8) return reader.error(where, fmt::format("an offset has 4 or 8 bytes, not {}", size));
  const Program& program = reader.program();
  if (size == 8 && (program.is_coff || !program.info.elf.is_64))
    return reader.error(where, "an offset of 8 bytes needs a 64-bit ELF target");
  reader.program().pc_sections.offset_size = u8(size);
}

}  // namespace xas
