// SPDX-License-Identifier: Apache-2.0
// Directives about symbols: binding, visibility, type, size, values, common storage.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "asm/directives/directives.h"
#include "asm/read/parse.h"
#include "objwriter/elf_constants.h"

namespace xas {

using namespace elf;

/// .globl name [, name]...
void directive_binding(Reader& reader, u32 arg) {
  const Binding wanted = Binding(arg);
  do {
    SymbolId id;
    if (!parse_symbol(reader, id, "a symbol name", wanted == Binding::global)) return;
    Symbol& s = reader.program().symbols[id];
    if (s.has(symbol_lto_discarded)) continue;
    s.flags |= symbol_declared;
    const Binding had = s.binding;
    // GNU as: .weak wins over .globl whatever the order, .globl over .local.
    if (wanted == Binding::local) {
      if (had == Binding::unset) s.binding = wanted;
      if (!reader.program().profile.weak_wins && (had == Binding::weak || had == Binding::global)) {
        return reader.error(fmt::format("binding of '{}' is changed", s.text()));
      }
      s.flags |= symbol_local_common;
    } else if (had != Binding::weak || !reader.program().profile.weak_wins) {
      if (!reader.program().profile.weak_wins && had != Binding::unset && had != wanted) {
        const std::string message = fmt::format("binding of '{}' is changed", s.text());
        if (wanted == Binding::weak && had == Binding::global) {
          reader.warning(message);
        } else {
          return reader.error(message);
        }
      }
      // GNU as: a symbol that is unique in a process stays so.
      if (had != Binding::unique || wanted != Binding::global || !reader.program().profile.weak_wins)
        s.binding = wanted;
    }
  } while (accept_comma(reader));
}

/// .hidden name [, name]...
void directive_visibility(Reader& reader, u32 visibility) {
  do {
    SymbolId id;
    if (!parse_symbol(reader, id, "a symbol name")) return;
    Symbol& s = reader.program().symbols[id];
    if (s.has(symbol_lto_discarded)) continue;
    s.flags |= symbol_declared;
    s.other = u8((s.other & ~3u) | visibility);
  } while (accept_comma(reader));
}

namespace {

struct NamedSymbolType {
  std::string_view name;
  std::string_view spec_name;
  u8 type;
};

constexpr NamedSymbolType symbol_types[] = {
    {"function", "STT_FUNC", STT_FUNC},    {"object", "STT_OBJECT", STT_OBJECT},
    {"tls_object", "STT_TLS", STT_TLS},    {"notype", "STT_NOTYPE", STT_NOTYPE},
    {"common", "STT_COMMON", STT_COMMON},  {"gnu_indirect_function", "STT_GNU_IFUNC", STT_GNU_IFUNC},
    {"gnu_unique_object", "", STT_OBJECT},
};

}  // namespace

/// Of two types, the one that says more; the new one where neither does.
static u8 stronger_type(u8 old, u8 fresh) {
  for (u8 weak : {STT_NOTYPE, STT_OBJECT, STT_FUNC, STT_GNU_IFUNC, STT_TLS}) {
    if (old == weak) return fresh;
    if (fresh == weak) return old;
  }
  return fresh;
}

/// .type name, @common: GNU as makes a common symbol of what is not defined, whose size .comm may still tell.
static void make_common(Streamer& out, SymbolId id) {
  Symbol& s = out.program.symbols[id];
  s.flags |= symbol_declared;
  if (out.program.profile.type_makes_common && s.is_defined() && s.kind != SymbolKind::common)
    return out.error(out.program.sources.statement, fmt::format("symbol '{}' is already defined", s.text()));
  s.type = STT_OBJECT;
  if (!out.program.profile.type_makes_common || s.kind == SymbolKind::common) return;
  s.kind = SymbolKind::common;
  s.value = 0;
  s.fragment = 1;
  if (s.binding == Binding::unset) s.binding = Binding::global;
}

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
    if (at_end_of_statement(reader)) return reader.error_here("expected the symbol's type");  // '@' may begin a comment
    if (*reader.p == '@' || *reader.p == '%' || *reader.p == '#') ++reader.p;
    u64 number;
    bool overflow;
    if (scan_number(reader.p, number, overflow)) {
      if (number > 15) return reader.error(where, "symbol type must be between 0 and 15");
      reader.program().symbols[id].type = u8(number);
      reader.program().gnu_abi |= number == STT_GNU_IFUNC;
      reader.program().symbols[id].flags |= symbol_declared;
      return;
    }
    const u32 n = name_length(reader.p);
    name = {reader.p, n};
    reader.p += n;
  }
  for (const NamedSymbolType& t : symbol_types) {
    if (t.name != name && (t.spec_name.empty() || t.spec_name != name)) continue;
    Symbol& s = reader.program().symbols[id];
    if (t.type == STT_COMMON) return make_common(reader.out, id);
    const bool stays = !reader.program().profile.types_combine && s.type == STT_TLS;
    if (!stays) s.type = reader.program().profile.types_combine ? stronger_type(s.type, t.type) : t.type;
    s.flags |= symbol_declared;
    const bool unique = t.name == "gnu_unique_object";
    if (unique) s.binding = Binding::unique;
    reader.program().gnu_abi |= unique || t.type == STT_GNU_IFUNC;
    return;
  }
  reader.error(where, fmt::format("unknown symbol type '{}'", name));
}

/// .size name, expression
void directive_size(Reader& reader, u32) {
  const SymbolId first = reader.program().symbols.size();
  SymbolId id;
  if (!parse_symbol(reader, id, "a symbol name")) return;
  if (!reader.program().profile.size_is_reference) reader.out.referenced_quietly(first);
  if (!expect_comma(reader, "the symbol")) return;
  if (reader.out.reserved.watching) [[unlikely]] reader.out.reserved.close_shadow(reader.out, "'.size'", reader.here());
  const SourceLoc loc = reader.here();
  Value value;
  const u16 saved = reader.reference_flag;
  if (!reader.program().profile.size_is_reference) reader.reference_flag = 0;
  const bool ok = reader.expression_value(value);
  reader.reference_flag = saved;
  if (!ok) return;
  reader.out.referenced_quietly(first);
  reader.program().symbols[id].flags |= symbol_sized;
  reader.program().note_temporary(id);
  reader.out.fold(value);
  reader.out.pin_dot(value);
  reader.program().records.sizes.push_back({id, value, loc});
}

/// A register alone, which the name stands for from here on. False, nothing read, if it is something else.
static bool assign_register(Reader& reader, SymbolId id, SourceLoc loc) {
  const char* const start = reader.p;
  const char* q = start;
  const int number = parse_any_register(reader, q);
  reader.p = q;
  if (number < 0 || !at_end_of_statement(reader)) return reader.p = start, false;
  reader.p = q;
  reader.out.has_register_aliases = true;
  Symbol& s = reader.program().symbols[id];
  s.kind = SymbolKind::register_;
  s.value = u64(number);
  s.flags |= symbol_redefinable | symbol_temporary;
  s.loc = loc;
  return true;
}

void assign_from_text(Reader& reader, SymbolId id, SourceLoc loc, bool redefinable) {
  skip_blanks(reader);
  if (reader.program().symbols[id].has(symbol_lto_discarded)) return reader.skip_statement();
  if (reader.program().info.syntax.registers_are_values && assign_register(reader, id, loc)) return;
  Value value;
  const SymbolId first = reader.program().symbols.size();
  if (!reader.expression_value(value)) return;
  reader.program().note_temporary(id);
  const SymbolId fresh = reader.program().symbols.size();
  reader.out.assign(id, value, loc, redefinable);
  // What is defined anew is met before the symbols of its value.
  if (reader.program().profile.redefinition_is_new && fresh != first && reader.program().symbols.size() != fresh)
    reader.program().order.listed_late.emplace_back(first, fresh);
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
  reader.out.fold(value);
  reader.out.pin_dot(value);
  Symbol& s = reader.program().symbols[id];
  s.flags |= symbol_equation;
  s.kind = SymbolKind::expression;
  s.value = reader.program().exprs.leaf(value, loc);
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
    reader.out.fold(value);
    const bool only_place = value.add == dot_symbol && value.sub == no_symbol;
    reader.out.pin_dot(value);
    Symbol& s = reader.program().symbols[id];
    s.flags &= u16(~symbol_equation);
    if (only_place) s.flags |= symbol_anonymous;  // GNU as lists what comes to a number, but no place
    s.kind = SymbolKind::expression;
    s.value = reader.program().exprs.leaf(value, loc);
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
  for (SymbolId id : reader.out.lto_discarded) reader.program().symbols[id].flags &= u16(~symbol_lto_discarded);
  reader.out.lto_discarded.clear();
  if (at_end_of_statement(reader)) return;
  reader.out.watches_labels = true;
  do {
    SymbolId id;
    if (!parse_symbol(reader, id, "a symbol name")) return;
    reader.program().symbols[id].flags |= symbol_lto_discarded;
    reader.out.lto_discarded.push_back(id);
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
  reader.out.watches_labels = true;
  reader.out.conditional_aliases[other].push_back({name, loc});
}

/// An alias may be what further aliases wait for; those come before the next alias of the same target.
void define_conditional_aliases(Streamer& out, SymbolId target) {
  struct Pending {
    ConditionalAlias alias;
    SymbolId target;
  };
  std::vector<Pending> stack;
  const auto push = [&](SymbolId id) {
    const auto waiting = out.conditional_aliases.find(id);
    if (waiting == out.conditional_aliases.end()) return;
    for (auto it = waiting->second.rbegin(); it != waiting->second.rend(); ++it) stack.push_back({*it, id});
    out.conditional_aliases.erase(waiting);
  };
  push(target);
  while (!stack.empty()) {
    const Pending p = stack.back();
    stack.pop_back();
    const SymbolId alias = out.program.symbols.intern(p.alias.symbol);
    out.assign(alias, {.add = p.target}, p.alias.loc, true);
    push(alias);
  }
}

/// .memtag name, .no_dead_strip name: no more than a reference; the first on most targets.
void directive_memtag(Reader& reader, u32 tags) {
  do {
    SymbolId id;
    if (!parse_symbol(reader, id, "a symbol name")) return;
    reader.program().symbols[id].flags |= symbol_referenced | symbol_declared;
    if (tags) reader.program().records.memory_tagged.push_back(id);
  } while (accept_comma(reader));
}

namespace {

/// Alignment for `size` bytes of storage when none is given: of a common symbol the next power of two, of what .lcomm
/// allocates the one before.
u64 natural_alignment(const Program& program, u64 size, bool common) {
  if (!program.profile.natural_common_align) return 1;
  if (common) return size > 8 ? 16 : std::bit_ceil(std::max<u64>(size, 1));
  return size > 8 ? 8 : std::bit_floor(std::max<u64>(size, 1));
}

struct Storage {
  SymbolId id;
  u64 size = 0;
  u64 align = 0;
  const char* align_at = nullptr;  ///< where it is given, if it is
};

/// name [,] size [, alignment]
bool parse_storage(Reader& reader, Storage& s, bool common) {
  if (!parse_symbol(reader, s.id, "a symbol name", true)) return false;
  accept_comma(reader);
  i64 size;
  const char* where = reader.p;
  if (at_end_of_statement(reader)) return reader.error_here("expected the size"), false;
  if (!reader.absolute(size, "the size")) return false;
  if (size < 0) return reader.error(where, "size must not be negative"), false;
  s.size = u64(size);
  s.align = natural_alignment(reader.program(), s.size, common);
  if (accept_comma(reader)) {
    i64 align;
    where = s.align_at = reader.p;
    if (!reader.absolute(align, "the alignment")) return false;
    if (align < 0 || (align & (align - 1)) != 0 || align > 0x80000000ll) {
      return reader.error(where, fmt::format("alignment {} is not a power of two up to 2^31", align)), false;
    }
    s.align = align ? u64(align) : 1;
  }
  return true;
}

/// Storage of a local symbol: in .bss or its like.
void allocate(Streamer& out, const Storage& storage, std::string_view section) {
  Subsection* const before = out.current;
  Subsection* const before_previous = out.previous;
  Section& bss = out.program.section_named(section);
  out.switch_to(out.program.sections.subsection(bss, out.program.profile.local_common_subsection));
  out.emit_align(unsigned(std::countr_zero(storage.align)), 1, 0, 0, out.program.sources.statement_loc());
  out.define_label(storage.id, out.program.sources.statement_loc());
  out.program.symbols[storage.id].type = STT_OBJECT;
  out.program.records.sizes.push_back(
      {storage.id, {.constant = i64(storage.size)}, out.program.sources.statement_loc()});
  out.emit_fill({.constant = i64(storage.size)}, 1, 0, out.program.sources.statement_loc());
  out.return_to(*before, before_previous);
}

}  // namespace

void forget_value(Program& program, SymbolId& id) {
  if (!program.symbols[id].has(symbol_redefinable) || !program.symbols[id].is_defined()) return;
  id = program.symbols.rebind(id);
  program.symbols[id].flags &= u16(~symbol_redefinable);
  program.symbols[id].kind = SymbolKind::undefined;
}

namespace {

/// Of several sizes GNU as keeps the first, but for 0, and of several alignments the last; LLVM refuses other sizes.
void common_again(Streamer& out, Symbol& s, const Storage& storage) {
  const bool may_differ = out.program.profile.common_sizes_may_differ;
  if (s.value != storage.size && s.value != 0) {
    const std::string message =
        fmt::format("size of common symbol '{}' is {} already, not {}", s.text(), s.value, storage.size);
    if (!may_differ) return out.error(out.program.sources.statement, message);
    out.warning(out.program.sources.statement, message);
  }
  if (s.value == 0) s.value = storage.size;
  s.fragment = may_differ ? u32(storage.align) : std::max(s.fragment, u32(storage.align));
}

}  // namespace

/// .comm name, size [, alignment]
void directive_comm(Reader& reader, u32 flags) {
  Storage storage;
  if (flags & common_mri && reader.macros.mri) return reader.error("MRI's common sections are not available");
  if (!parse_storage(reader, storage, true)) return;
  if (flags & common_large) reader.program().section_named(".lbss");
  forget_value(reader.program(), storage.id);
  Symbol& s = reader.program().symbols[storage.id];
  if (s.has(symbol_local_common) && s.binding == Binding::local && !s.is_defined()) {
    if (!storage.align_at) storage.align = 1;  // natural alignment is for what the linker places
    return allocate(reader.out, storage, flags & common_large ? ".lbss" : ".bss");
  }
  if (s.kind == SymbolKind::common) return common_again(reader.out, s, storage);
  if (s.is_defined()) {
    reader.error(fmt::format("symbol '{}' is already defined", s.text()));
    reader.program().diags.note(s.loc, "here");
    return;
  }
  s.kind = SymbolKind::common;
  s.value = storage.size;
  s.fragment = u32(storage.align);
  s.loc = reader.program().sources.statement_loc();
  if (s.binding == Binding::unset) s.binding = Binding::global;
  if (s.type == STT_NOTYPE) s.type = STT_OBJECT;
  if (flags & common_large) s.flags |= symbol_large_common;
  if (flags & common_tls) s.type = STT_TLS;
}

/// .lcomm name, size
void directive_lcomm(Reader& reader, u32) {
  Storage storage;
  if (!parse_storage(reader, storage, false)) return;
  if (storage.align_at && !reader.program().is_coff)
    return reader.error(storage.align_at, ".lcomm takes no alignment in ELF; .local and .comm do");
  reader.program().symbols[storage.id].binding = Binding::local;
  allocate(reader.out, storage, ".bss");
}

/// .weakref alias, target
void directive_weakref(Reader& reader, u32) {
  SymbolId alias, to;
  if (!parse_symbol(reader, alias, "a symbol name") || !expect_comma(reader, "the alias")) return;
  const SymbolId first = reader.program().symbols.size();
  if (!parse_symbol(reader, to, "a symbol name", true)) return;
  reader.out.referenced_quietly(first);
  Symbol& s = reader.program().symbols[alias];
  if (s.is_defined()) {
    reader.error(fmt::format("symbol '{}' is already defined", s.text()));
    return;
  }
  s.kind = SymbolKind::expression;
  s.value = reader.program().exprs.leaf({.add = to}, reader.program().sources.statement_loc());
  s.flags |= symbol_weakref;
  s.loc = reader.program().sources.statement_loc();
  if (reader.program().is_coff) note_weakref_target(reader.program(), to);
}

/// .symver name, name2@VERSION [, remove | local | hidden]
void directive_symver(Reader& reader, u32) {
  const SymbolId first = reader.program().symbols.size();
  SymbolId id;
  if (!parse_symbol(reader, id, "a symbol name") || !expect_comma(reader, "the symbol")) return;
  reader.out.referenced_quietly(first);
  const char* start = reader.p;
  // On ARM, where @ begins a comment, it does not here.
  while (*reader.p != ',' && !reader.program().chars.is(*reader.p, char_blank) && (*reader.p == '@' || !at_end(reader)))
    ++reader.p;
  const std::string_view versioned{start, std::size_t(reader.p - start)};
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
      return reader.error_here("expected 'remove', 'local' or 'hidden'");
    }
    reader.p += word.size;
  }
  reader.program().records.versions.push_back(v);
}

void directive_addrsig(Reader& reader, u32) { reader.program().records.emit_addrsig = true; }

void directive_addrsig_sym(Reader& reader, u32) {
  const SymbolId first = reader.program().symbols.size();
  SymbolId id;
  if (!parse_symbol(reader, id, "a symbol name")) return;
  reader.out.referenced_quietly(first);
  reader.program().records.address_significant.push_back(id);
}

void name_call_graph(Program& program) {
  for (CallGraphEdge& edge : program.records.call_graph) {
    const auto symbol = [&](const Name& name, SourceLoc loc) {
      const SymbolId id = program.symbols.intern(name);
      Symbol& s = program.symbols[id];
      if (s.loc == 0) s.loc = loc;
      if (!s.is_defined() && s.has(symbol_temporary)) {
        program.diags.error(loc, fmt::format("'{}' is not defined, and its name keeps it out of the symbol table",
                                             name.text()));
      }
      return id;
    };
    edge.from = symbol(edge.from_name, edge.from_loc);
    edge.to = symbol(edge.to_name, edge.to_loc);
  }
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
  reader.program().records.call_graph.push_back(edge);
}

}  // namespace xas
