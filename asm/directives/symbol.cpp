// SPDX-License-Identifier: Apache-2.0
// Directives about symbols: binding, visibility, type, size, values, common storage.
#include <fmt/format.h>

#include <algorithm>

#include "asm/directives/directives.h"
#include "asm/program/symbol_verbs.h"
#include "asm/read/parse.h"
#include "objwriter/elf_constants.h"

namespace xas {

using namespace elf;

bool is_empty_list(Reader& reader) {
  return reader.program().profile.symbol_lists_may_be_empty && at_end_of_statement(reader);
}

bool next_in_list(Reader& reader) { return accept_comma(reader) && !at_end_of_statement(reader); }

/// .globl name [, name]...
void directive_binding(Reader& reader, u32 arg) {
  if (is_empty_list(reader)) return;
  const Binding wanted = Binding(arg);
  do {
    SymbolId id;
    if (!parse_symbol(reader, id, "a symbol name", wanted == Binding::global)) return;
    set_binding(reader.out, id, wanted);
  } while (next_in_list(reader));
}

/// .hidden name [, name]...
void directive_visibility(Reader& reader, u32 visibility) {
  if (is_empty_list(reader)) return;
  do {
    SymbolId id;
    if (!parse_symbol(reader, id, "a symbol name")) return;
    set_visibility(reader.out, id, u8(visibility));
  } while (next_in_list(reader));
}

namespace {

struct NamedSymbolType {
  std::string_view name;
  std::string_view spec_name;
  std::string_view number;  ///< as GNU as knows it, in no other spelling
  u8 type;
};

constexpr NamedSymbolType symbol_types[] = {
    {"function", "STT_FUNC", "2", STT_FUNC},
    {"object", "STT_OBJECT", "1", STT_OBJECT},
    {"tls_object", "STT_TLS", "6", STT_TLS},
    {"notype", "STT_NOTYPE", "0", STT_NOTYPE},
    {"common", "STT_COMMON", "5", STT_COMMON},
    {"gnu_indirect_function", "STT_GNU_IFUNC", "10", STT_GNU_IFUNC},
    {"gnu_unique_object", "", "", STT_OBJECT},
};

}  // namespace

/// .type name, @function | %function | "function" | STT_FUNC | number
void directive_type(Reader& reader, u32) {
  SymbolId id;
  if (!parse_symbol(reader, id, "a symbol name")) return;
  reader.program().note_temporary(id);
  accept_comma(reader);
  const char* where = reader.p;
  std::string_view name;
  std::string storage;
  if (*reader.p == '"') {
    if (!parse_string(reader, name, storage)) return;
  } else {
    if (at_end_of_statement(reader)) return reader.expected("the symbol's type");  // '@' may begin a comment
    if (*reader.p == '@' || *reader.p == '%' || *reader.p == '#') {
      ++reader.p;
      skip_blanks(reader);
    }
    const u32 n = name_length(reader.p);
    name = {reader.p, n};
    reader.p += n;
  }
  for (const NamedSymbolType& t : symbol_types) {
    if (name.empty() || (t.name != name && t.spec_name != name && t.number != name)) continue;
    if (t.type == STT_COMMON) return set_common_type(reader.out, id);
    return set_type(reader.out, id, t.type, t.name == "gnu_unique_object");
  }
  std::string known;
  for (const NamedSymbolType& t : symbol_types) known += fmt::format("{}{}", known.empty() ? "" : ", ", t.name);
  reader.error(where, fmt::format("unknown symbol type '{}' (known: {})", name, known));
}

/// .size name, expression
void directive_size(Reader& reader, u32) {
  // GNU as makes the symbol behind those of its size.
  const bool name_is_last = reader.program().profile.size_is_reference;
  const SymbolId first = reader.program().symbols.size();
  skip_blanks(reader);
  const char* const start = reader.p;
  SymbolId id = no_symbol;
  Name name;
  if (!(name_is_last ? parse_name(reader, name, "a symbol name") : parse_symbol(reader, id, "a symbol name"))) return;
  if (!name_is_last) reader.out.referenced_quietly(first);
  if (!expect_comma(reader, "the symbol")) return;
  if (reader.out.reserved.watching) [[unlikely]] reader.out.reserved.close_shadow(reader.out, "'.size'", reader.here());
  const SourceLoc loc = reader.here();
  Value value;
  const u16 saved = reader.reference_flag;
  if (!name_is_last) reader.reference_flag = 0;
  const Streamer::PaddingWatch watch(reader.out);
  const bool ok = reader.expression_value(value);
  reader.reference_flag = saved;
  if (!ok) return;
  if (name_is_last) {
    id = reader.program().symbols.intern(name);
    Symbol& s = reader.program().symbols[id];
    if (s.loc == 0) s.loc = reader.loc_of(start);
  }
  reader.out.referenced_quietly(first);
  set_size(reader.out, id, value, loc);
}

/// A register alone, which the name stands for from here on. False, nothing read, if it is something else.
static bool assign_register(Reader& reader, SymbolId id, SourceLoc loc) {
  const char* const start = reader.p;
  const char* q = start;
  const int number = parse_any_register(reader, q);
  reader.p = q;
  if (number < 0 || !at_end_of_statement(reader)) return reader.p = start, false;
  reader.p = q;
  name_register(reader.out, id, u32(number), loc);
  return true;
}

void assign_from_text(Reader& reader, SymbolId id, SourceLoc loc, bool redefinable) {
  skip_blanks(reader);
  if (reader.program().symbols[id].has(symbol_lto_discarded)) return reader.skip_statement();
  if (reader.program().info.syntax.registers_are_values && assign_register(reader, id, loc)) return;
  Value value;
  const SymbolId first = reader.program().symbols.size();
  if (!reader.expression_value(value)) return;
  assign_after_value(reader.out, id, value, first, loc, redefinable);
}

namespace {

bool names_dot(const Program& program, std::string_view text) {
  for (std::size_t i = text.find('.'); i != text.npos; i = text.find('.', i + 1)) {
    const bool in_name = (i && program.chars.is(text[i - 1], char_name)) ||
                         (i + 1 < text.size() && program.chars.is(text[i + 1], char_name));
    if (!in_name) return true;
  }
  return false;
}

}  // namespace

/// name == expression, .eqv name, expression: the name stands for the expression as it is written, read again wherever
/// the name is used.
void equate_from_text(Reader& reader, SymbolId id, SourceLoc loc) {
  skip_blanks(reader);
  const char* const text = reader.p;
  const u32 errors = reader.program().diags.errors();
  assign_from_text(reader, id, loc, false);
  if (reader.program().diags.errors() != errors || reader.program().symbols[id].kind == SymbolKind::register_) return;
  const char* q = text;
  Value value;
  reader.expression(q, value);
  equate(reader.out, id, value, loc);
  reader.equations[id] = {reader.program().sources.current, text,
                          names_dot(reader.program(), {text, std::size_t(reader.p - text)})};
}

void resolve_equations(Reader& reader) {
  std::vector<SymbolId> names;
  for (const auto& [id, equation] : reader.equations) {
    if (equation.has_dot) names.push_back(id);
  }
  std::sort(names.begin(), names.end());
  for (SymbolId id : names) {
    const SourceLoc loc = reader.program().symbols[id].loc;
    Value value;
    if (!reader.equation_value(id, value)) continue;
    end_equation(reader.out, id, value, loc);
  }
}

/// .set name, expression
void directive_set(Reader& reader, u32 kind) {
  skip_blanks(reader);
  const SourceLoc loc = reader.here();
  if (*reader.p == '.' && !reader.program().chars.is(reader.p[1], char_name)) {
    ++reader.p;
    if (!expect_comma(reader, "the symbol")) return;
    Value value;
    if (reader.expression_value(value)) reader.out.emit_org(value, 0, loc);
    return;
  }
  SymbolId id;
  if (!parse_symbol(reader, id, "a symbol name", true)) return;
  if (!expect_comma(reader, "the symbol")) return;
  if (kind == set_equation) return equate_from_text(reader, id, loc);
  assign_from_text(reader, id, loc, kind == set_again);
}

/// .lsym name, constant
void directive_lsym(Reader& reader, u32) {
  skip_blanks(reader);
  const SourceLoc loc = reader.here();
  SymbolId id;
  i64 value;
  if (!parse_symbol(reader, id, "a symbol name", true) || !expect_comma(reader, "the symbol")) return;
  if (reader.absolute(value, "the symbol's value")) reader.out.assign(id, {.constant = value}, loc, false);
}

/// .lto_discard [name [, name]...]: what defines or declares these names from here on has no effect; without names,
/// everything has again.
void directive_lto_discard(Reader& reader, u32) {
  end_discards(reader.out);
  if (at_end_of_statement(reader)) return;
  do {
    SymbolId id;
    if (!parse_symbol(reader, id, "a symbol name")) return;
    discard_definitions(reader.out, id);
  } while (accept_comma(reader));
}

/// .lto_set_conditional name, other: an alias, as soon as the other is defined.
void directive_lto_set_conditional(Reader& reader, u32) {
  skip_blanks(reader);
  const SourceLoc loc = reader.here();
  Name name;
  SymbolId other;
  if (!parse_name(reader, name, "a symbol name") || !expect_comma(reader, "the symbol")) return;
  const char* const where = reader.p;
  if (!parse_symbol(reader, other, "the name of another symbol")) return;
  const Symbol& target = reader.program().symbols[other];
  if (target.kind == SymbolKind::label)
    return reader.out.assign(reader.program().symbols.intern(name), {.add = other}, loc, true);
  if (target.is_defined()) return reader.error(where, fmt::format("'{}' must be a label", target.text()));
  alias_when_defined(reader.out, name, other, loc);
}

/// .memtag name, .no_dead_strip name: no more than a reference; the first on most targets.
void directive_memtag(Reader& reader, u32 tags) {
  do {
    SymbolId id;
    if (!parse_symbol(reader, id, "a symbol name")) return;
    refer_to(reader.out, id);
    if (tags) tag_memory(reader.out, id);
  } while (accept_comma(reader));
}

bool parse_storage_size(Reader& reader, u64& bytes) {
  accept_comma(reader);
  i64 size;
  const char* const where = reader.p;
  if (at_end_of_statement(reader)) return reader.expected("the size"), false;
  if (!reader.absolute(size, "the size")) return false;
  if (size < 0) return reader.error(where, "size must not be negative"), false;
  bytes = u64(size);
  return true;
}

namespace {

/// name [,] size [, alignment]
bool parse_storage(Reader& reader, CommonStorage& s, const char*& align_at) {
  if (!parse_symbol(reader, s.id, "a symbol name", true) || !parse_storage_size(reader, s.size)) return false;
  if (!accept_comma(reader)) return true;
  i64 align;
  const char* const where = align_at = reader.p;
  if (!reader.absolute(align, "the alignment")) return false;
  const bool any = reader.program().profile.common_align_unchecked;
  if (any && align < 0) {
    reader.warning(where, "the alignment is negative; 0 is taken");
    align = 0;
  }
  if (align < 0 || (!any && (align & (align - 1)) != 0) || align > 0x80000000ll) {
    return reader.error(where, fmt::format("alignment {} is not a power of two up to 2^31", align)), false;
  }
  s.align = u64(align);
  return true;
}

}  // namespace

/// .comm name, size [, alignment]
void directive_comm(Reader& reader, u32 flags) {
  CommonStorage storage;
  const char* align_at = nullptr;
  if (flags & common_mri && reader.macros.mri) return reader.error("MRI's common sections are not available");
  if (!parse_storage(reader, storage, align_at)) return;
  storage.large = flags & common_large;
  storage.tls = flags & common_tls;
  emit_common(reader.out, storage);
}

/// .lcomm name, size
void directive_lcomm(Reader& reader, u32) {
  CommonStorage storage;
  const char* align_at = nullptr;
  if (!parse_storage(reader, storage, align_at)) return;
  if (align_at && !reader.program().is_coff)
    return reader.error(align_at, ".lcomm takes no alignment in ELF; .local and .comm do");
  emit_local_common(reader.out, storage);
}

/// .weakref alias, target
void directive_weakref(Reader& reader, u32) {
  SymbolId alias, to;
  if (!parse_symbol(reader, alias, "a symbol name") || !expect_comma(reader, "the alias")) return;
  const SymbolId first = reader.program().symbols.size();
  if (!parse_symbol(reader, to, "a symbol name", true)) return;
  reader.out.referenced_quietly(first);
  refer_weakly(reader.out, alias, to);
}

/// .symver name, name2@VERSION [, remove | local | hidden]
void directive_symver(Reader& reader, u32) {
  const SymbolId first = reader.program().symbols.size();
  SymbolId id;
  if (!parse_symbol(reader, id, "a symbol name") || !expect_comma(reader, "the symbol")) return;
  reader.out.referenced_quietly(first);
  const char* start = reader.p;
  std::string_view versioned;
  if (*reader.p == '"') {
    Name name;
    if (!parse_name(reader, name, "name@VERSION", true)) return;
    versioned = name.text();
  } else {
    // On ARM, where @ begins a comment, it does not here.
    while (*reader.p != ',' && !reader.program().chars.is(*reader.p, char_blank) &&
           (*reader.p == '@' || !at_end(reader)))
      ++reader.p;
    versioned = {start, std::size_t(reader.p - start)};
  }
  if (versioned.find('@') == versioned.npos)
    return reader.error(start, fmt::format("'{}' has no version: expected name@VERSION", versioned));
  SymbolVersion v{id, versioned, true, reader.program().sources.statement_loc()};
  if (accept_comma(reader)) {
    const Name word = scan_name(reader.p);
    if (word.text() == "remove") {
      v.keep_original = false;
    } else if (word.text() == "local") {
      v.original = SymbolVersion::local;
    } else if (word.text() == "hidden") {
      v.original = SymbolVersion::hidden;
    } else {
      return reader.expected("'remove', 'local' or 'hidden'");
    }
    reader.p += word.size;
  }
  add_version(reader.out, v);
}

void directive_addrsig(Reader& reader, u32) { list_address_significance(reader.out); }

void directive_addrsig_sym(Reader& reader, u32) {
  const SymbolId first = reader.program().symbols.size();
  SymbolId id;
  if (!parse_symbol(reader, id, "a symbol name")) return;
  reader.out.referenced_quietly(first);
  add_address_significant(reader.out, id);
}

/// .cg_profile from, to, count
void directive_cg_profile(Reader& reader, u32) {
  CallGraphEdge edge{.loc = reader.program().sources.statement_loc()};
  skip_blanks(reader);
  edge.from_loc = reader.here();
  if (!parse_name(reader, edge.from_name, "a symbol name") || !expect_comma(reader, "the caller")) return;
  edge.to_loc = reader.here();
  if (!parse_name(reader, edge.to_name, "a symbol name") || !expect_comma(reader, "the callee")) return;
  if (!parse_unsigned(reader, edge.count, "the count")) return;
  add_call_edge(reader.out, edge);
}

}  // namespace xas
