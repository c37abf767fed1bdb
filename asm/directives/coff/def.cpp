// SPDX-License-Identifier: Apache-2.0
// .def to .endef: storage class, type and value of a symbol, and SDB, the debugging information that compilers made
// before stabs and DWARF.
//
// What is strange: a definition of a class that only debuggers know (a tag, a member, an automatic variable, the start
// of a block) is a record of its own in GNU as's symbol table, whatever the text defines under its name. llvm-mc knows
// no such thing; there it is a symbol like others if nothing has a value under its name.
#include <fmt/format.h>

#include "asm/directives/coff.h"
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
  reader.program().coff.definition.fields.any = true;
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
  CoffDefinition d{.existed = reader.program().symbols.find(name) != no_symbol,
                   .loc = reader.program().sources.statement_loc()};
  d.symbol = reader.program().symbols.intern(name);
  Symbol& s = reader.program().symbols[d.symbol];
  if (s.loc == 0) s.loc = d.loc;
  d.type = s.coff_type;
  d.storage_class = s.other;
  reader.program().coff.definition = d;
}

void directive_scl(Reader& reader, u32) {
  i64 number;
  if (!definition_number(reader, ".scl", 0xff, number, -1)) return;
  reader.program().coff.definition.storage_class = u8(number);
  reader.program().coff.definition.declared = true;
}

/// .type number
void directive_coff_type(Reader& reader, u32) {
  i64 number;
  if (!definition_number(reader, ".type", 0xffff, number)) return;
  reader.program().coff.definition.type = u16(number);
  reader.program().coff.definition.declared = true;
}

/// .val expression
void directive_val(Reader& reader, u32) {
  if (!in_definition(reader, ".val")) return;
  CoffDefinition& d = reader.program().coff.definition;
  if (!reader.expression_value(d.value)) return;
  reader.out.pin_dot(d.value);
  // Its own name stands for the value that it has elsewhere.
  d.has_value = !(d.value.is_symbol_plus_constant() && d.value.add == d.symbol && d.value.constant == 0);
}

/// .dim number [, number]...      up to four dimensions of an array
static void parse_dimensions(Reader& reader, SdbFields& fields) {
  unsigned n = 0;
  do {
    u16 ignored;
    if (!record_number(reader, ".dim", n < 4 ? fields.dimensions[n] : ignored)) return;
    ++n;
  } while (accept_comma(reader));
}

/// .tag name      of the structure, union or enumeration that this is one of
static void parse_tag(Reader& reader, SdbFields& fields) {
  Name name;
  skip_blanks(reader);
  if (!parse_name(reader, name, "the tag's name")) return;
  fields.any = true;
  const auto known = reader.program().coff.tags.find(name.text());
  if (known != reader.program().coff.tags.end()) {
    fields.tag = known->second;
    return;
  }
  fields.tag_symbol = reader.program().symbols.intern(name);
  reader.program().symbols[fields.tag_symbol].flags |= symbol_declared;
}

/// .line, .size, .dim and .tag fill the auxiliary record, which llvm-mc leaves out.
/// Outside of a definition, .line and .ln are what they are elsewhere.
void directive_definition_field(Reader& reader, u32 field) {
  const bool is_line = field == definition_line || field == definition_ln;
  if (is_line && reader.program().coff.definition.symbol == no_symbol) return directive_line(reader, 0);
  if (!in_definition(reader, "a field of a definition")) return;
  CoffDefinition& d = reader.program().coff.definition;
  if (!reader.program().profile.coff_sdb || field == definition_ln) return reader.skip_statement();
  switch (field) {
    case definition_size: record_number(reader, ".size", d.fields.size); break;
    case definition_dimensions: parse_dimensions(reader, d.fields); break;
    case definition_tag: parse_tag(reader, d.fields); break;
    default: {
      // Lines within a function count from that of its .bf.
      const std::string_view name = reader.program().symbols[d.symbol].text();
      if (!record_number(reader, ".line", d.fields.line)) return;
      if (name == ".bf") reader.program().coff.base_line = d.fields.line;
      if (name == ".ef") d.fields.line = u16(d.fields.line + reader.program().coff.base_line);
    }
  }
}

void directive_endef(Reader& reader, u32) {
  if (!in_definition(reader, ".endef")) return;
  const CoffDefinition d = reader.program().coff.definition;
  reader.program().coff.definition = {};
  Symbol& s = reader.program().symbols[d.symbol];
  const bool placed = s.is_defined() && s.kind != SymbolKind::common;
  if (is_sdb_class(d.storage_class)) {
    if (reader.program().profile.coff_sdb) {
      if (is_sdb_tag(d.storage_class))
        reader.program().coff.tags.try_emplace(s.text(), u32(reader.program().coff.sdb.size()));
      reader.program().coff.moves.push_back(
          {no_symbol, reader.program().symbols.size(), u32(reader.program().coff.sdb.size())});
      reader.program().coff.sdb.push_back(
          {s.text(), d.type, d.storage_class, d.has_value ? d.value : Value{}, d.fields});
      return;
    }
    if (placed) return;
  }
  if (d.declared) s.flags |= symbol_declared;
  s.coff_type = d.type;
  s.other = d.storage_class;
  if (d.fields.any) reader.program().coff.sdb_fields[d.symbol] = d.fields;
  if (d.has_value && !(placed && reader.program().profile.coff_def_keeps_labels))
    reader.out.assign(d.symbol, d.value, d.loc, true);
  const bool function = is_function_type(d.type);
  if (!d.existed || function || d.storage_class == IMAGE_SYM_CLASS_STATIC) {
    reader.program().coff.moves.push_back({d.symbol, reader.program().symbols.size()});
  }
}

}  // namespace xas
