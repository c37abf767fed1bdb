// .def to .endef: storage class, type and value of a symbol, and SDB, the debugging information that compilers made
// before stabs and DWARF.
//
// What is strange: a definition of a class that only debuggers know (a tag, a member, an automatic variable, the start
// of a block) is a record of its own in GNU as's symbol table, whatever the text defines under its name. llvm-mc knows
// no such thing; there it is a symbol like others if nothing has a value under its name.
#include <fmt/format.h>

#include "asm/directives/coff.h"
#include "asm/parse.h"
#include "objwriter/coff_constants.h"

namespace xas {

using namespace coff;

namespace {

bool in_definition(Assembler& a, std::string_view name) {
  if (a.coff.definition.symbol != no_symbol) return true;
  const std::string text = fmt::format("{} outside of .def and .endef", name);
  const bool says_nothing = at_end_of_statement(a);
  a.profile.coff_gnu_symbols && says_nothing ? a.warning(a.statement_start, text) : a.error(a.statement_start, text);
  a.skip_statement();
  return false;
}

/// An absolute number from `low` to `limit` for a field of the open definition.
bool definition_number(Assembler& a, std::string_view name, i64 limit, i64& number, i64 low = 0) {
  if (!in_definition(a, name)) return false;
  const char* where = a.p;
  if (!a.absolute(number, "this field")) return false;
  if (number >= low && number <= limit) return true;
  a.error(where, fmt::format("{} is not between {} and {}", number, low, limit));
  return false;
}

/// A number of the auxiliary record, whose fields have 16 bits.
bool record_number(Assembler& a, std::string_view name, u16& field) {
  i64 number;
  if (!definition_number(a, name, 0xffff, number, -0x8000)) return false;
  a.coff.definition.fields.any = true;
  field = u16(number);
  return true;
}

}  // namespace

/// .def name
void directive_def(Assembler& a, u32) {
  if (a.coff.definition.symbol != no_symbol) {
    const char* text = ".def inside of .def and .endef";
    a.skip_statement();
    return a.profile.coff_gnu_symbols ? a.warning(a.statement_start, text) : a.error(a.statement_start, text);
  }
  skip_blanks(a);
  Name name;
  if (!parse_name(a, name, "a symbol name")) return;
  CoffDefinition d{.existed = a.symbols.find(name) != no_symbol, .loc = a.loc_of(a.statement_start)};
  d.symbol = a.symbols.intern(name);
  Symbol& s = a.symbols[d.symbol];
  if (s.loc == 0) s.loc = d.loc;
  d.type = s.coff_type;
  d.storage_class = s.other;
  a.coff.definition = d;
}

void directive_scl(Assembler& a, u32) {
  i64 number;
  if (!definition_number(a, ".scl", 0xff, number, -1)) return;
  a.coff.definition.storage_class = u8(number);
  a.coff.definition.declared = true;
}

/// .type number
void directive_coff_type(Assembler& a, u32) {
  i64 number;
  if (!definition_number(a, ".type", 0xffff, number)) return;
  a.coff.definition.type = u16(number);
  a.coff.definition.declared = true;
}

/// .val expression
void directive_val(Assembler& a, u32) {
  if (!in_definition(a, ".val")) return;
  CoffDefinition& d = a.coff.definition;
  if (!a.expression_value(d.value)) return;
  a.pin_dot(d.value);
  // Its own name stands for the value that it has elsewhere.
  d.has_value = !(d.value.is_symbol_plus_constant() && d.value.add == d.symbol && d.value.constant == 0);
}

/// .dim number [, number]...      up to four dimensions of an array
static void parse_dimensions(Assembler& a, SdbFields& fields) {
  unsigned n = 0;
  do {
    u16 ignored;
    if (!record_number(a, ".dim", n < 4 ? fields.dimensions[n] : ignored)) return;
    ++n;
  } while (accept_comma(a));
}

/// .tag name      of the structure, union or enumeration that this is one of
static void parse_tag(Assembler& a, SdbFields& fields) {
  Name name;
  skip_blanks(a);
  if (!parse_name(a, name, "the tag's name")) return;
  fields.any = true;
  const auto known = a.coff.tags.find(name.text());
  if (known != a.coff.tags.end()) {
    fields.tag = known->second;
    return;
  }
  fields.tag_symbol = a.symbols.intern(name);
  a.symbols[fields.tag_symbol].flags |= symbol_declared;
}

/// .line, .size, .dim and .tag fill the auxiliary record, which llvm-mc leaves out.
/// Outside of a definition, .line and .ln are what they are elsewhere.
void directive_definition_field(Assembler& a, u32 field) {
  const bool is_line = field == definition_line || field == definition_ln;
  if (is_line && a.coff.definition.symbol == no_symbol) return directive_line(a, 0);
  if (!in_definition(a, "a field of a definition")) return;
  CoffDefinition& d = a.coff.definition;
  if (!a.profile.coff_gnu_symbols || field == definition_ln) return a.skip_statement();
  switch (field) {
    case definition_size: record_number(a, ".size", d.fields.size); break;
    case definition_dimensions: parse_dimensions(a, d.fields); break;
    case definition_tag: parse_tag(a, d.fields); break;
    default: {
      // Lines within a function count from that of its .bf.
      const std::string_view name = a.symbols[d.symbol].text();
      if (!record_number(a, ".line", d.fields.line)) return;
      if (name == ".bf") a.coff.base_line = d.fields.line;
      if (name == ".ef") d.fields.line = u16(d.fields.line + a.coff.base_line);
    }
  }
}

void directive_endef(Assembler& a, u32) {
  if (!in_definition(a, ".endef")) return;
  const CoffDefinition d = a.coff.definition;
  a.coff.definition = {};
  Symbol& s = a.symbols[d.symbol];
  const bool placed = s.is_defined() && s.kind != SymbolKind::common;
  if (is_sdb_class(d.storage_class)) {
    if (a.profile.coff_gnu_symbols) {
      if (is_sdb_tag(d.storage_class)) a.coff.tags.try_emplace(s.text(), u32(a.coff.sdb.size()));
      a.coff.moves.push_back({no_symbol, a.symbols.size(), u32(a.coff.sdb.size())});
      a.coff.sdb.push_back({s.text(), d.type, d.storage_class, d.has_value ? d.value : Value{}, d.fields});
      return;
    }
    if (placed) return;
  }
  if (d.declared) s.flags |= symbol_declared;
  s.coff_type = d.type;
  s.other = d.storage_class;
  if (d.fields.any) a.coff.sdb_fields[d.symbol] = d.fields;
  if (d.has_value && !(placed && a.profile.coff_gnu_symbols)) a.assign(d.symbol, d.value, d.loc, true);
  const bool function = is_function_type(d.type);
  if (!d.existed || function || d.storage_class == IMAGE_SYM_CLASS_STATIC) {
    a.coff.moves.push_back({d.symbol, a.symbols.size()});
  }
}

}  // namespace xas
