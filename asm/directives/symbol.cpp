// Directives about symbols: binding, visibility, type, size, values, common storage.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "asm/directives/directives.h"
#include "asm/parse.h"
#include "objwriter/elf_constants.h"

namespace xas {

using namespace elf;

/// .globl name [, name]...
void directive_binding(Assembler& a, u32 arg) {
  const Binding wanted = Binding(arg);
  do {
    SymbolId id;
    if (!parse_symbol(a, id, "a symbol name", wanted == Binding::global)) return;
    Symbol& s = a.symbols[id];
    if (s.has(symbol_lto_discarded)) continue;
    s.flags |= symbol_declared;
    const Binding had = s.binding;
    // GNU as: .weak wins over .globl whatever the order, .globl over .local.
    if (wanted == Binding::local) {
      if (had == Binding::unset) s.binding = wanted;
      if (!a.profile.weak_wins && (had == Binding::weak || had == Binding::global)) {
        return a.error(a.statement_start, fmt::format("binding of '{}' is changed", s.text()));
      }
      s.flags |= symbol_local_common;
    } else if (had != Binding::weak || !a.profile.weak_wins) {
      if (!a.profile.weak_wins && had != Binding::unset && had != wanted) {
        const std::string message = fmt::format("binding of '{}' is changed", s.text());
        if (wanted == Binding::weak && had == Binding::global) {
          a.warning(a.statement_start, message);
        } else {
          return a.error(a.statement_start, message);
        }
      }
      // GNU as: a symbol that is unique in a process stays so.
      if (had != Binding::unique || wanted != Binding::global || !a.profile.weak_wins) s.binding = wanted;
    }
  } while (accept_comma(a));
}

/// .hidden name [, name]...
void directive_visibility(Assembler& a, u32 visibility) {
  do {
    SymbolId id;
    if (!parse_symbol(a, id, "a symbol name")) return;
    Symbol& s = a.symbols[id];
    if (s.has(symbol_lto_discarded)) continue;
    s.flags |= symbol_declared;
    s.other = u8((s.other & ~3u) | visibility);
  } while (accept_comma(a));
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
static void make_common(Assembler& a, SymbolId id) {
  Symbol& s = a.symbols[id];
  s.flags |= symbol_declared;
  if (a.profile.gnu_section_defaults && s.is_defined() && s.kind != SymbolKind::common)
    return a.error(a.statement_start, fmt::format("symbol '{}' is already defined", s.text()));
  s.type = STT_OBJECT;
  if (!a.profile.gnu_section_defaults || s.kind == SymbolKind::common) return;
  s.kind = SymbolKind::common;
  s.value = 0;
  s.flex = 1;
  if (s.binding == Binding::unset) s.binding = Binding::global;
}

/// .type name, @function | %function | "function" | STT_FUNC | number
void directive_type(Assembler& a, u32) {
  SymbolId id;
  if (!parse_symbol(a, id, "a symbol name")) return;
  a.note_temporary(id);
  accept_comma(a);
  const char* where = a.p;
  std::string_view name;
  std::string storage;
  if (*a.p == '"') {
    if (!parse_string(a, name, storage)) return;
  } else {
    if (at_end_of_statement(a)) return a.error_here("expected the symbol's type");  // '@' may begin a comment
    if (*a.p == '@' || *a.p == '%' || *a.p == '#') ++a.p;
    u64 number;
    bool overflow;
    if (scan_number(a.p, number, overflow)) {
      if (number > 15) return a.error(where, "symbol type must be between 0 and 15");
      a.symbols[id].type = u8(number);
      a.gnu_abi |= number == STT_GNU_IFUNC;
      a.symbols[id].flags |= symbol_declared;
      return;
    }
    const u32 n = name_length(a.p);
    name = {a.p, n};
    a.p += n;
  }
  for (const NamedSymbolType& t : symbol_types) {
    if (t.name != name && (t.spec_name.empty() || t.spec_name != name)) continue;
    Symbol& s = a.symbols[id];
    if (t.type == STT_COMMON) return make_common(a, id);
    const bool stays = !a.profile.types_combine && s.type == STT_TLS;
    if (!stays) s.type = a.profile.types_combine ? stronger_type(s.type, t.type) : t.type;
    s.flags |= symbol_declared;
    const bool unique = t.name == "gnu_unique_object";
    if (unique) s.binding = Binding::unique;
    a.gnu_abi |= unique || t.type == STT_GNU_IFUNC;
    return;
  }
  a.error(where, fmt::format("unknown symbol type '{}'", name));
}

/// .size name, expression
void directive_size(Assembler& a, u32) {
  const SymbolId first = a.symbols.size();
  SymbolId id;
  if (!parse_symbol(a, id, "a symbol name")) return;
  if (!a.profile.size_is_mention) a.mentioned_quietly(first);
  if (!expect_comma(a, "the symbol")) return;
  const SourceLoc loc = a.here();
  Value value;
  const u16 mention = a.mention;
  if (!a.profile.size_is_mention) a.mention = 0;
  const bool ok = a.expression_value(value);
  a.mention = mention;
  if (!ok) return;
  a.mentioned_quietly(first);
  a.symbols[id].flags |= symbol_sized;
  a.note_temporary(id);
  a.fold(value);
  a.pin_dot(value);
  a.sizes.push_back({id, value, loc});
}

/// A register alone, which the name stands for from here on. False, nothing read, if it is something else.
static bool assign_register(Assembler& a, SymbolId id, SourceLoc loc) {
  const char* const start = a.p;
  const char* q = start;
  const int number = parse_any_register(a, q);
  a.p = q;
  if (number < 0 || !at_end_of_statement(a)) return a.p = start, false;
  a.p = q;
  a.has_register_aliases = true;
  Symbol& s = a.symbols[id];
  s.kind = SymbolKind::register_;
  s.value = u64(number);
  s.flags |= symbol_redefinable | symbol_temporary;
  s.loc = loc;
  return true;
}

void assign_from_text(Assembler& a, SymbolId id, SourceLoc loc, bool redefinable) {
  skip_blanks(a);
  if (a.symbols[id].has(symbol_lto_discarded)) return a.skip_statement();
  if (a.info.registers_are_values && assign_register(a, id, loc)) return;
  Value value;
  const SymbolId first = a.symbols.size();
  if (!a.expression_value(value)) return;
  a.note_temporary(id);
  const SymbolId fresh = a.symbols.size();
  a.assign(id, value, loc, redefinable);
  // What is defined anew is met before the symbols of its value.
  if (a.profile.redefinition_is_new && fresh != first && a.symbols.size() != fresh)
    a.listed_late.emplace_back(first, fresh);
}

namespace {

bool names_dot(const Assembler& a, std::string_view text) {
  for (std::size_t i = text.find('.'); i != text.npos; i = text.find('.', i + 1)) {
    const bool in_name =
        (i && a.chars.is(text[i - 1], char_name)) || (i + 1 < text.size() && a.chars.is(text[i + 1], char_name));
    if (!in_name) return true;
  }
  return false;
}

}  // namespace

/// name == expression, .eqv name, expression: the name stands for the expression as it is written, read again wherever
/// the name is used.
void equate_from_text(Assembler& a, SymbolId id, SourceLoc loc) {
  skip_blanks(a);
  const char* const text = a.p;
  const u32 errors = a.diags.errors();
  assign_from_text(a, id, loc, false);
  if (a.diags.errors() != errors || a.symbols[id].kind == SymbolKind::register_) return;
  const char* q = text;
  Value value;
  a.expression(q, value);
  a.fold(value);
  a.pin_dot(value);
  Symbol& s = a.symbols[id];
  s.flags |= symbol_equation;
  s.kind = SymbolKind::expression;
  s.value = a.exprs.leaf(value, loc);
  a.equations[id] = {a.source, text, names_dot(a, {text, std::size_t(a.p - text)})};
}

void settle_equations(Assembler& a) {
  std::vector<SymbolId> names;
  for (const auto& [id, equation] : a.equations) {
    if (equation.has_dot) names.push_back(id);
  }
  std::sort(names.begin(), names.end());
  for (SymbolId id : names) {
    const SourceLoc loc = a.symbols[id].loc;
    Value value;
    if (!a.equation_value(id, value)) continue;
    a.fold(value);
    const bool only_place = value.add == dot_symbol && value.sub == no_symbol;
    a.pin_dot(value);
    Symbol& s = a.symbols[id];
    s.flags &= u16(~symbol_equation);
    if (only_place) s.flags |= symbol_anonymous;  // GNU as lists what comes to a number, but no place
    s.kind = SymbolKind::expression;
    s.value = a.exprs.leaf(value, loc);
  }
}

/// .set name, expression
void directive_set(Assembler& a, u32 kind) {
  skip_blanks(a);
  const SourceLoc loc = a.here();
  if (*a.p == '.' && !a.chars.is(a.p[1], char_name)) {
    ++a.p;
    if (!expect_comma(a, "the symbol")) return;
    Value value;
    if (a.expression_value(value)) a.emit_org(value, 0, loc);
    return;
  }
  SymbolId id;
  if (!parse_symbol(a, id, "a symbol name", true)) return;
  if (!expect_comma(a, "the symbol")) return;
  if (kind == set_equation) return equate_from_text(a, id, loc);
  assign_from_text(a, id, loc, kind == set_again);
}

/// .lsym name, constant
void directive_lsym(Assembler& a, u32) {
  skip_blanks(a);
  const SourceLoc loc = a.here();
  SymbolId id;
  i64 value;
  if (!parse_symbol(a, id, "a symbol name", true) || !expect_comma(a, "the symbol")) return;
  if (a.absolute(value, "the symbol's value")) a.assign(id, {.constant = value}, loc, false);
}

/// .lto_discard [name [, name]...]: what defines or declares these names from here on has no effect; without names,
/// everything has again.
void directive_lto_discard(Assembler& a, u32) {
  for (SymbolId id : a.lto_discarded) a.symbols[id].flags &= u16(~symbol_lto_discarded);
  a.lto_discarded.clear();
  if (at_end_of_statement(a)) return;
  a.watches_labels = true;
  do {
    SymbolId id;
    if (!parse_symbol(a, id, "a symbol name")) return;
    a.symbols[id].flags |= symbol_lto_discarded;
    a.lto_discarded.push_back(id);
  } while (accept_comma(a));
}

/// .lto_set_conditional name, other: an alias, as soon as the other is defined.
void directive_lto_set_conditional(Assembler& a, u32) {
  skip_blanks(a);
  const SourceLoc loc = a.here();
  Name name;
  SymbolId other;
  if (!parse_name(a, name, "a symbol name") || !expect_comma(a, "the symbol")) return;
  const char* const where = a.p;
  if (!parse_symbol(a, other, "the name of another symbol")) return;
  const Symbol& target = a.symbols[other];
  if (target.kind == SymbolKind::label) return a.assign(a.symbols.intern(name), {.add = other}, loc, true);
  if (target.is_defined()) return a.error(where, fmt::format("'{}' must be a label", target.text()));
  a.watches_labels = true;
  a.conditional_aliases[other].push_back({name, loc});
}

/// An alias may be what further aliases wait for; those come before the next alias of the same target.
void define_conditional_aliases(Assembler& a, SymbolId target) {
  struct Pending {
    ConditionalAlias alias;
    SymbolId target;
  };
  std::vector<Pending> stack;
  const auto push = [&](SymbolId id) {
    const auto waiting = a.conditional_aliases.find(id);
    if (waiting == a.conditional_aliases.end()) return;
    for (auto it = waiting->second.rbegin(); it != waiting->second.rend(); ++it) stack.push_back({*it, id});
    a.conditional_aliases.erase(waiting);
  };
  push(target);
  while (!stack.empty()) {
    const Pending p = stack.back();
    stack.pop_back();
    const SymbolId alias = a.symbols.intern(p.alias.symbol);
    a.assign(alias, {.add = p.target}, p.alias.loc, true);
    push(alias);
  }
}

/// .memtag name, .no_dead_strip name: no more than a mention; the first on most targets.
void directive_memtag(Assembler& a, u32 tags) {
  do {
    SymbolId id;
    if (!parse_symbol(a, id, "a symbol name")) return;
    a.symbols[id].flags |= symbol_referenced | symbol_declared;
    if (tags) a.memory_tagged.push_back(id);
  } while (accept_comma(a));
}

namespace {

/// Alignment for `size` bytes of storage when none is given: of a common symbol the next power of two, of what .lcomm
/// allocates the one before.
u64 natural_alignment(const Assembler& a, u64 size, bool common) {
  if (!a.profile.natural_common_align) return 1;
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
bool parse_storage(Assembler& a, Storage& s, bool common) {
  if (!parse_symbol(a, s.id, "a symbol name", true)) return false;
  accept_comma(a);
  i64 size;
  const char* where = a.p;
  if (at_end_of_statement(a)) return a.error_here("expected the size"), false;
  if (!a.absolute(size, "the size")) return false;
  if (size < 0) return a.error(where, "size must not be negative"), false;
  s.size = u64(size);
  s.align = natural_alignment(a, s.size, common);
  if (accept_comma(a)) {
    i64 align;
    where = s.align_at = a.p;
    if (!a.absolute(align, "the alignment")) return false;
    if (align < 0 || (align & (align - 1)) != 0 || align > 0x80000000ll) {
      return a.error(where, fmt::format("alignment {} is not a power of two up to 2^31", align)), false;
    }
    s.align = align ? u64(align) : 1;
  }
  return true;
}

/// Storage of a local symbol: in .bss or its like.
void allocate(Assembler& a, const Storage& storage, std::string_view section) {
  Subsection* const before = a.current;
  Subsection* const before_previous = a.previous;
  Section& bss = a.section_named(section);
  a.switch_to(a.sections.subsection(bss, a.profile.local_common_subsection));
  a.emit_align(unsigned(std::countr_zero(storage.align)), 1, 0, 0, a.here());
  a.define_label(storage.id, a.loc_of(a.statement_start));
  a.symbols[storage.id].type = STT_OBJECT;
  a.sizes.push_back({storage.id, {.constant = i64(storage.size)}, a.here()});
  a.emit_fill({.constant = i64(storage.size)}, 1, 0, a.here());
  a.return_to(*before, before_previous);
}

}  // namespace

void forget_value(Assembler& a, SymbolId& id) {
  if (!a.symbols[id].has(symbol_redefinable) || !a.symbols[id].is_defined()) return;
  id = a.symbols.rebind(id);
  a.symbols[id].flags &= u16(~symbol_redefinable);
  a.symbols[id].kind = SymbolKind::undefined;
}

namespace {

/// Of several sizes GNU as keeps the first, but for 0, and of several alignments the last; LLVM refuses other sizes.
void common_again(Assembler& a, Symbol& s, const Storage& storage) {
  const bool gnu = a.profile.gnu_section_defaults;
  if (s.value != storage.size && s.value != 0) {
    const std::string message =
        fmt::format("size of common symbol '{}' is {} already, not {}", s.text(), s.value, storage.size);
    if (!gnu) return a.error(a.statement_start, message);
    a.warning(a.statement_start, message);
  }
  if (s.value == 0) s.value = storage.size;
  s.flex = gnu ? u32(storage.align) : std::max(s.flex, u32(storage.align));
}

}  // namespace

/// .comm name, size [, alignment]
void directive_comm(Assembler& a, u32 flags) {
  Storage storage;
  if (flags & common_mri && a.macros.mri) return a.error(a.statement_start, "MRI's common sections are not available");
  if (!parse_storage(a, storage, true)) return;
  if (flags & common_large) a.section_named(".lbss");
  forget_value(a, storage.id);
  Symbol& s = a.symbols[storage.id];
  if (s.has(symbol_local_common) && s.binding == Binding::local && !s.is_defined()) {
    if (!storage.align_at) storage.align = 1;  // natural alignment is for what the linker places
    return allocate(a, storage, flags & common_large ? ".lbss" : ".bss");
  }
  if (s.kind == SymbolKind::common) return common_again(a, s, storage);
  if (s.is_defined()) {
    a.error(a.statement_start, fmt::format("symbol '{}' is already defined", s.text()));
    a.diags.note(s.loc, "here");
    return;
  }
  s.kind = SymbolKind::common;
  s.value = storage.size;
  s.flex = u32(storage.align);
  s.loc = a.loc_of(a.statement_start);
  if (s.binding == Binding::unset) s.binding = Binding::global;
  if (s.type == STT_NOTYPE) s.type = STT_OBJECT;
  if (flags & common_large) s.flags |= symbol_large_common;
  if (flags & common_tls) s.type = STT_TLS;
}

/// .lcomm name, size
void directive_lcomm(Assembler& a, u32) {
  Storage storage;
  if (!parse_storage(a, storage, false)) return;
  if (storage.align_at && !a.is_coff)
    return a.error(storage.align_at, ".lcomm takes no alignment in ELF; .local and .comm do");
  a.symbols[storage.id].binding = Binding::local;
  allocate(a, storage, ".bss");
}

/// .weakref alias, target
void directive_weakref(Assembler& a, u32) {
  SymbolId alias, to;
  if (!parse_symbol(a, alias, "a symbol name") || !expect_comma(a, "the alias")) return;
  const SymbolId first = a.symbols.size();
  if (!parse_symbol(a, to, "a symbol name", true)) return;
  a.mentioned_quietly(first);
  Symbol& s = a.symbols[alias];
  if (s.is_defined()) {
    a.error(a.statement_start, fmt::format("symbol '{}' is already defined", s.text()));
    return;
  }
  s.kind = SymbolKind::expression;
  s.value = a.exprs.leaf({.add = to}, a.loc_of(a.statement_start));
  s.flags |= symbol_weakref;
  s.loc = a.loc_of(a.statement_start);
  if (a.is_coff) note_weakref_target(a, to);
}

/// .symver name, name2@VERSION [, remove | local | hidden]
void directive_symver(Assembler& a, u32) {
  const SymbolId first = a.symbols.size();
  SymbolId id;
  if (!parse_symbol(a, id, "a symbol name") || !expect_comma(a, "the symbol")) return;
  a.mentioned_quietly(first);
  const char* start = a.p;
  // On ARM, where @ begins a comment, it does not here.
  while (*a.p != ',' && !a.chars.is(*a.p, char_blank) && (*a.p == '@' || !at_end(a))) ++a.p;
  const std::string_view versioned{start, std::size_t(a.p - start)};
  if (versioned.find('@') == versioned.npos)
    return a.error(start, fmt::format("'{}' has no version: expected name@VERSION", versioned));
  SymbolVersion v{id, versioned, true, a.loc_of(a.statement_start)};
  if (accept_comma(a)) {
    const Name word = scan_name(a.p);
    if (word.text() == "remove") {
      v.keep_original = false;
    } else if (word.text() == "local") {
      v.original = SymbolVersion::local;
    } else if (word.text() == "hidden") {
      v.original = SymbolVersion::hidden;
    } else {
      return a.error_here("expected 'remove', 'local' or 'hidden'");
    }
    a.p += word.size;
  }
  a.versions.push_back(v);
}

void directive_addrsig(Assembler& a, u32) { a.emit_addrsig = true; }

void directive_addrsig_sym(Assembler& a, u32) {
  const SymbolId first = a.symbols.size();
  SymbolId id;
  if (!parse_symbol(a, id, "a symbol name")) return;
  a.mentioned_quietly(first);
  a.address_significant.push_back(id);
}

void name_call_graph(Assembler& a) {
  for (CallGraphEdge& edge : a.call_graph) {
    const auto symbol = [&](const Name& name, SourceLoc loc) {
      const SymbolId id = a.symbols.intern(name);
      if (a.symbols[id].loc == 0) a.symbols[id].loc = loc;
      return id;
    };
    edge.from = symbol(edge.from_name, edge.from_loc);
    edge.to = symbol(edge.to_name, edge.to_loc);
  }
}

/// .cg_profile from, to, count
void directive_cg_profile(Assembler& a, u32) {
  CallGraphEdge edge{.loc = a.loc_of(a.statement_start)};
  i64 count;
  skip_blanks(a);
  edge.from_loc = a.here();
  if (!parse_name(a, edge.from_name, "a symbol name") || !expect_comma(a, "the caller")) return;
  edge.to_loc = a.here();
  if (!parse_name(a, edge.to_name, "a symbol name") || !expect_comma(a, "the callee")) return;
  if (!a.absolute(count, "the count")) return;
  edge.count = u64(count);
  a.call_graph.push_back(edge);
}

}  // namespace xas
