// SPDX-License-Identifier: Apache-2.0
// Relocations that the text asks for: .reloc, and the hints of GNU's tables of virtual functions.
#include <fmt/format.h>

#include "asm/directives/directives.h"
#include "asm/program/reloc_verbs.h"
#include "asm/read/parse.h"

namespace xas {

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
    // GNU as adds it to the contents on x86 if there is a symbol, and drops it otherwise, as LLVM does.
    const bool in_field = value.add != no_symbol && reader.program().target.relocation_size(u32(type)) != 0;
    if (!reader.program().info.elf.rela && !reader.program().is_coff && reader.program().profile.reloc_names_section &&
        type > 0 && value.constant != 0 && !in_field)
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
  emit_hint(reader.out, child, "GNU_VTINHERIT", parent, false);
}

/// .vtable_entry table, offset
void directive_vtable_entry(Reader& reader, u32) {
  Value table, offset{.add = dot_symbol};
  if (*reader.p == '#') ++reader.p;
  if (!parse_symbol(reader, table.add, "the class's table") || !expect_comma(reader, "the class's table")) return;
  if (*reader.p == '#') ++reader.p;
  if (!reader.absolute(table.constant, "the entry's offset")) return;
  reader.out.pin_dot(offset);
  emit_hint(reader.out, offset, "GNU_VTENTRY", table, true);
}

}  // namespace xas
