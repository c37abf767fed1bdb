// SPDX-License-Identifier: Apache-2.0
// .def to .endef: storage class, type and value of a symbol, and SDB, the debugging information that compilers made
// before stabs and DWARF.
//
// What is strange: a definition of a class that only debuggers know (a tag, a member, an automatic variable, the start
// of a block) is a record of its own in GNU as's symbol table, whatever the text defines under its name. llvm-mc knows
// no such thing; there it is a symbol like others if nothing has a value under its name.
#include <fmt/format.h>

#include "asm/directives/coff.h"
#include "asm/program/coff_verbs.h"
#include "asm/read/parse.h"
#include "objwriter/coff_constants.h"

namespace xas {

using namespace coff;

namespace {

bool in_definition(Reader& reader, std::string_view name) {
  if (reader.program().coff.definition.symbol != no_symbol) return true;
  const std::string text = fmt::format("{} outside of .def and .endef", name);
  const bool says_nothing = at_end_of_statement(reader);
  reader.program().profile.coff_def_slips_warn&& says_nothing ? reader.warning(text) : reader.error(text);
  reader.skip_statement();
  return false;
}

/// An absolute number from `low` to `limit` for a field of the open definition.
bool definition_number(Reader& reader, std::string_view name, i64 limit, i64& number, i64 low = 0) {
  if (!in_definition(reader, name)) return false;
  const char* where = reader.p;
  if (!reader.absolute(number, "this field")) return false;
  if (number >= low && number <= limit) return true;
  reader.error(where, fmt::format("{} is not between {} and {}", number, low, limit));
  return false;
}

/// A number of the auxiliary record, whose fields have 16 bits.
bool record_number(Reader& reader, std::string_view name, u16& field) {
  i64 number;
  if (!definition_number(reader, name, 0xffff, number, -0x8000)) return false;
  field = u16(number);
  return true;
}

}  // namespace

/// .def name
void directive_def(Reader& reader, u32) {
  if (reader.program().coff.definition.symbol != no_symbol) {
    const char* text = ".def inside of .def and .endef";
    reader.skip_statement();
    return reader.program().profile.coff_def_slips_warn ? reader.warning(text) : reader.error(text);
  }
  skip_blanks(reader);
  Name name;
  if (!parse_name(reader, name, "a symbol name")) return;
  begin_definition(reader.out, name);
}

void directive_scl(Reader& reader, u32) {
  i64 number;
  if (!definition_number(reader, ".scl", 0xff, number, -1)) return;
  define_storage_class(reader.out, u8(number));
}

/// .type number
void directive_coff_type(Reader& reader, u32) {
  i64 number;
  if (!definition_number(reader, ".type", 0xffff, number)) return;
  define_type(reader.out, u16(number));
}

/// .val expression
void directive_val(Reader& reader, u32) {
  if (!in_definition(reader, ".val")) return;
  Value value;
  if (reader.expression_value(value)) define_value(reader.out, value);
}

/// .dim number [, number]...      up to four dimensions of an array
static void parse_dimensions(Reader& reader) {
  unsigned n = 0;
  do {
    u16 size;
    if (!record_number(reader, ".dim", size)) return;
    define_dimension(reader.out, n++, size);
  } while (accept_comma(reader));
}

/// .size number      in bytes
static void parse_size(Reader& reader) {
  u16 size;
  if (record_number(reader, ".size", size)) define_size(reader.out, size);
}

/// .line number
static void parse_line(Reader& reader) {
  u16 line;
  if (record_number(reader, ".line", line)) define_line(reader.out, line);
}

/// .tag name      of the structure, union or enumeration that this is one of
static void parse_tag(Reader& reader) {
  Name name;
  skip_blanks(reader);
  if (parse_name(reader, name, "the tag's name")) define_tag(reader.out, name);
}

/// .line, .size, .dim and .tag fill the auxiliary record, which llvm-mc leaves out.
/// Outside of a definition, .line and .ln are what they are elsewhere.
void directive_definition_field(Reader& reader, u32 field) {
  const bool is_line = field == definition_line || field == definition_ln;
  if (is_line && reader.program().coff.definition.symbol == no_symbol) return directive_line(reader, 0);
  if (!in_definition(reader, "a field of a definition")) return;
  if (!reader.program().profile.coff_sdb || field == definition_ln) return reader.skip_statement();
  switch (field) {
    case definition_size: return parse_size(reader);
    case definition_dimensions: return parse_dimensions(reader);
    case definition_tag: return parse_tag(reader);
    default: return parse_line(reader);
  }
}

void directive_endef(Reader& reader, u32) {
  if (!in_definition(reader, ".endef")) return;
  end_definition(reader.out);
}

}  // namespace xas
