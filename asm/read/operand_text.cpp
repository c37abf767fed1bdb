// SPDX-License-Identifier: Apache-2.0
// What the text of operands means to a target: names of registers, and symbols that a directive of its own marks.
//
// They are no symbols: a label may have the name of a register's alias, and the text around it tells which one is
// meant. In the table they stand behind a character that no name in a text begins with.
#include <fmt/format.h>

#include "asm/read/parse.h"

namespace xas {

namespace {

std::string alias_key(std::string_view name) { return '\x01' + std::string(name); }

}  // namespace

int Reader::register_alias(std::string_view name) {
  ++counts.meanings;
  for (const SymbolId id : {program().symbols.find(alias_key(name)), program().symbols.find(name)}) {
    if (const Symbol* const s = program().values.register_of(id)) return int(s->value);
  }
  return -1;
}

bool Reader::bind_register(std::string_view name, int number, const char* where) {
  const SymbolId id = program().symbols.intern_copy(alias_key(name));
  Symbol& s = program().symbols[id];
  if (number < 0) {
    if (s.kind == SymbolKind::register_) s.kind = SymbolKind::undefined;
    return true;
  }
  if (s.kind == SymbolKind::register_ && s.value != u64(number)) {
    out.warning(where, fmt::format("'{}' already stands for another register", name));
    return true;
  }
  s.kind = SymbolKind::register_;
  s.value = u64(number);
  out.has_register_aliases = true;
  return true;
}

bool Reader::mark_symbol(const char*& q, u8 other) {
  const char* saved = p;
  p = q;
  SymbolId id;
  const bool ok = parse_symbol(*this, id, "symbol name");
  q = p;
  p = saved;
  if (ok && !program().is_coff) {  // there, `other` is the storage class
    program().symbols[id].other |= other;
    program().symbols[id].flags |= symbol_declared;
  }
  return ok;
}

}  // namespace xas
