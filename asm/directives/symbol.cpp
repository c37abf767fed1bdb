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
void directive_binding(Reader& in, u32 arg) {
  const Binding wanted = Binding(arg);
  do {
    SymbolId id;
    if (!parse_symbol(in, id, "a symbol name", wanted == Binding::global)) return;
    Symbol& s = in.program().symbols[id];
    if (s.has(symbol_lto_discarded)) continue;
    s.flags |= symbol_declared;
    const Binding had = s.binding;
    // GNU as: .weak wins over .globl whatever the order, .globl over .local.
    if (wanted == Binding::local) {
      if (had == Binding::unset) s.binding = wanted;
      if (!in.program().profile.weak_wins && (had == Binding::weak || had == Binding::global)) {
        return in.error(fmt::format("binding of '{}' is changed", s.text()));
      }
      s.flags |= symbol_local_common;
    } else if (had != Binding::weak || !in.program().profile.weak_wins) {
      if (!in.program().profile.weak_wins && had != Binding::unset && had != wanted) {
        const std::string message = fmt::format("binding of '{}' is changed", s.text());
        if (wanted == Binding::weak && had == Binding::global) {
          in.warning(message);
        } else {
          return in.error(message);
        }
      }
      // GNU as: a symbol that is unique in a process stays so.
      if (had != Binding::unique || wanted != Binding::global || !in.program().profile.weak_wins) s.binding = wanted;
    }
  } while (accept_comma(in));
}

/// .hidden name [, name]...
void directive_visibility(Reader& in, u32 visibility) {
  do {
    SymbolId id;
    if (!parse_symbol(in, id, "a symbol name")) return;
    Symbol& s = in.program().symbols[id];
    if (s.has(symbol_lto_discarded)) continue;
    s.flags |= symbol_declared;
    s.other = u8((s.other & ~3u) | visibility);
  } while (accept_comma(in));
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
void directive_type(Reader& in, u32) {
  SymbolId id;
  if (!parse_symbol(in, id, "a symbol name")) return;
  in.program().note_temporary(id);
  accept_comma(in);
  const char* where = in.p;
  std::string_view name;
  std::string storage;
  if (*in.p == '"') {
    if (!parse_string(in, name, storage)) return;
  } else {
    if (at_end_of_statement(in)) return in.error_here("expected the symbol's type");  // '@' may begin a comment
    if (*in.p == '@' || *in.p == '%' || *in.p == '#') ++in.p;
    u64 number;
    bool overflow;
    if (scan_number(in.p, number, overflow)) {
      if (number > 15) return in.error(where, "symbol type must be between 0 and 15");
      in.program().symbols[id].type = u8(number);
      in.program().gnu_abi |= number == STT_GNU_IFUNC;
      in.program().symbols[id].flags |= symbol_declared;
      return;
    }
    const u32 n = name_length(in.p);
    name = {in.p, n};
    in.p += n;
  }
  for (const NamedSymbolType& t : symbol_types) {
    if (t.name != name && (t.spec_name.empty() || t.spec_name != name)) continue;
    Symbol& s = in.program().symbols[id];
    if (t.type == STT_COMMON) return make_common(in.out, id);
    const bool stays = !in.program().profile.types_combine && s.type == STT_TLS;
    if (!stays) s.type = in.program().profile.types_combine ? stronger_type(s.type, t.type) : t.type;
    s.flags |= symbol_declared;
    const bool unique = t.name == "gnu_unique_object";
    if (unique) s.binding = Binding::unique;
    in.program().gnu_abi |= unique || t.type == STT_GNU_IFUNC;
    return;
  }
  in.error(where, fmt::format("unknown symbol type '{}'", name));
}

/// .size name, expression
void directive_size(Reader& in, u32) {
  const SymbolId first = in.program().symbols.size();
  SymbolId id;
  if (!parse_symbol(in, id, "a symbol name")) return;
  if (!in.program().profile.size_is_mention) in.out.mentioned_quietly(first);
  if (!expect_comma(in, "the symbol")) return;
  const SourceLoc loc = in.here();
  Value value;
  const u16 mention = in.mention;
  if (!in.program().profile.size_is_mention) in.mention = 0;
  const bool ok = in.expression_value(value);
  in.mention = mention;
  if (!ok) return;
  in.out.mentioned_quietly(first);
  in.program().symbols[id].flags |= symbol_sized;
  in.program().note_temporary(id);
  in.out.fold(value);
  in.out.pin_dot(value);
  in.program().records.sizes.push_back({id, value, loc});
}

/// A register alone, which the name stands for from here on. False, nothing read, if it is something else.
static bool assign_register(Reader& in, SymbolId id, SourceLoc loc) {
  const char* const start = in.p;
  const char* q = start;
  const int number = parse_any_register(in, q);
  in.p = q;
  if (number < 0 || !at_end_of_statement(in)) return in.p = start, false;
  in.p = q;
  in.out.has_register_aliases = true;
  Symbol& s = in.program().symbols[id];
  s.kind = SymbolKind::register_;
  s.value = u64(number);
  s.flags |= symbol_redefinable | symbol_temporary;
  s.loc = loc;
  return true;
}

void assign_from_text(Reader& in, SymbolId id, SourceLoc loc, bool redefinable) {
  skip_blanks(in);
  if (in.program().symbols[id].has(symbol_lto_discarded)) return in.skip_statement();
  if (in.program().info.syntax.registers_are_values && assign_register(in, id, loc)) return;
  Value value;
  const SymbolId first = in.program().symbols.size();
  if (!in.expression_value(value)) return;
  in.program().note_temporary(id);
  const SymbolId fresh = in.program().symbols.size();
  in.out.assign(id, value, loc, redefinable);
  // What is defined anew is met before the symbols of its value.
  if (in.program().profile.redefinition_is_new && fresh != first && in.program().symbols.size() != fresh)
    in.program().order.listed_late.emplace_back(first, fresh);
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
void equate_from_text(Reader& in, SymbolId id, SourceLoc loc) {
  skip_blanks(in);
  const char* const text = in.p;
  const u32 errors = in.program().diags.errors();
  assign_from_text(in, id, loc, false);
  if (in.program().diags.errors() != errors || in.program().symbols[id].kind == SymbolKind::register_) return;
  const char* q = text;
  Value value;
  in.expression(q, value);
  in.out.fold(value);
  in.out.pin_dot(value);
  Symbol& s = in.program().symbols[id];
  s.flags |= symbol_equation;
  s.kind = SymbolKind::expression;
  s.value = in.program().exprs.leaf(value, loc);
  in.equations[id] = {in.program().sources.current, text, names_dot(in.program(), {text, std::size_t(in.p - text)})};
}

void settle_equations(Reader& in) {
  std::vector<SymbolId> names;
  for (const auto& [id, equation] : in.equations) {
    if (equation.has_dot) names.push_back(id);
  }
  std::sort(names.begin(), names.end());
  for (SymbolId id : names) {
    const SourceLoc loc = in.program().symbols[id].loc;
    Value value;
    if (!in.equation_value(id, value)) continue;
    in.out.fold(value);
    const bool only_place = value.add == dot_symbol && value.sub == no_symbol;
    in.out.pin_dot(value);
    Symbol& s = in.program().symbols[id];
    s.flags &= u16(~symbol_equation);
    if (only_place) s.flags |= symbol_anonymous;  // GNU as lists what comes to a number, but no place
    s.kind = SymbolKind::expression;
    s.value = in.program().exprs.leaf(value, loc);
  }
}

/// .set name, expression
void directive_set(Reader& in, u32 kind) {
  skip_blanks(in);
  const SourceLoc loc = in.here();
  if (*in.p == '.' && !in.program().chars.is(in.p[1], char_name)) {
    ++in.p;
    if (!expect_comma(in, "the symbol")) return;
    Value value;
    if (in.expression_value(value)) in.out.emit_org(value, 0, loc);
    return;
  }
  SymbolId id;
  if (!parse_symbol(in, id, "a symbol name", true)) return;
  if (!expect_comma(in, "the symbol")) return;
  if (kind == set_equation) return equate_from_text(in, id, loc);
  assign_from_text(in, id, loc, kind == set_again);
}

/// .lsym name, constant
void directive_lsym(Reader& in, u32) {
  skip_blanks(in);
  const SourceLoc loc = in.here();
  SymbolId id;
  i64 value;
  if (!parse_symbol(in, id, "a symbol name", true) || !expect_comma(in, "the symbol")) return;
  if (in.absolute(value, "the symbol's value")) in.out.assign(id, {.constant = value}, loc, false);
}

/// .lto_discard [name [, name]...]: what defines or declares these names from here on has no effect; without names,
/// everything has again.
void directive_lto_discard(Reader& in, u32) {
  for (SymbolId id : in.out.lto_discarded) in.program().symbols[id].flags &= u16(~symbol_lto_discarded);
  in.out.lto_discarded.clear();
  if (at_end_of_statement(in)) return;
  in.out.watches_labels = true;
  do {
    SymbolId id;
    if (!parse_symbol(in, id, "a symbol name")) return;
    in.program().symbols[id].flags |= symbol_lto_discarded;
    in.out.lto_discarded.push_back(id);
  } while (accept_comma(in));
}

/// .lto_set_conditional name, other: an alias, as soon as the other is defined.
void directive_lto_set_conditional(Reader& in, u32) {
  skip_blanks(in);
  const SourceLoc loc = in.here();
  Name name;
  SymbolId other;
  if (!parse_name(in, name, "a symbol name") || !expect_comma(in, "the symbol")) return;
  const char* const where = in.p;
  if (!parse_symbol(in, other, "the name of another symbol")) return;
  const Symbol& target = in.program().symbols[other];
  if (target.kind == SymbolKind::label)
    return in.out.assign(in.program().symbols.intern(name), {.add = other}, loc, true);
  if (target.is_defined()) return in.error(where, fmt::format("'{}' must be a label", target.text()));
  in.out.watches_labels = true;
  in.out.conditional_aliases[other].push_back({name, loc});
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

/// .memtag name, .no_dead_strip name: no more than a mention; the first on most targets.
void directive_memtag(Reader& in, u32 tags) {
  do {
    SymbolId id;
    if (!parse_symbol(in, id, "a symbol name")) return;
    in.program().symbols[id].flags |= symbol_referenced | symbol_declared;
    if (tags) in.program().records.memory_tagged.push_back(id);
  } while (accept_comma(in));
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
bool parse_storage(Reader& in, Storage& s, bool common) {
  if (!parse_symbol(in, s.id, "a symbol name", true)) return false;
  accept_comma(in);
  i64 size;
  const char* where = in.p;
  if (at_end_of_statement(in)) return in.error_here("expected the size"), false;
  if (!in.absolute(size, "the size")) return false;
  if (size < 0) return in.error(where, "size must not be negative"), false;
  s.size = u64(size);
  s.align = natural_alignment(in.program(), s.size, common);
  if (accept_comma(in)) {
    i64 align;
    where = s.align_at = in.p;
    if (!in.absolute(align, "the alignment")) return false;
    if (align < 0 || (align & (align - 1)) != 0 || align > 0x80000000ll) {
      return in.error(where, fmt::format("alignment {} is not a power of two up to 2^31", align)), false;
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
void directive_comm(Reader& in, u32 flags) {
  Storage storage;
  if (flags & common_mri && in.macros.mri) return in.error("MRI's common sections are not available");
  if (!parse_storage(in, storage, true)) return;
  if (flags & common_large) in.program().section_named(".lbss");
  forget_value(in.program(), storage.id);
  Symbol& s = in.program().symbols[storage.id];
  if (s.has(symbol_local_common) && s.binding == Binding::local && !s.is_defined()) {
    if (!storage.align_at) storage.align = 1;  // natural alignment is for what the linker places
    return allocate(in.out, storage, flags & common_large ? ".lbss" : ".bss");
  }
  if (s.kind == SymbolKind::common) return common_again(in.out, s, storage);
  if (s.is_defined()) {
    in.error(fmt::format("symbol '{}' is already defined", s.text()));
    in.program().diags.note(s.loc, "here");
    return;
  }
  s.kind = SymbolKind::common;
  s.value = storage.size;
  s.fragment = u32(storage.align);
  s.loc = in.program().sources.statement_loc();
  if (s.binding == Binding::unset) s.binding = Binding::global;
  if (s.type == STT_NOTYPE) s.type = STT_OBJECT;
  if (flags & common_large) s.flags |= symbol_large_common;
  if (flags & common_tls) s.type = STT_TLS;
}

/// .lcomm name, size
void directive_lcomm(Reader& in, u32) {
  Storage storage;
  if (!parse_storage(in, storage, false)) return;
  if (storage.align_at && !in.program().is_coff)
    return in.error(storage.align_at, ".lcomm takes no alignment in ELF; .local and .comm do");
  in.program().symbols[storage.id].binding = Binding::local;
  allocate(in.out, storage, ".bss");
}

/// .weakref alias, target
void directive_weakref(Reader& in, u32) {
  SymbolId alias, to;
  if (!parse_symbol(in, alias, "a symbol name") || !expect_comma(in, "the alias")) return;
  const SymbolId first = in.program().symbols.size();
  if (!parse_symbol(in, to, "a symbol name", true)) return;
  in.out.mentioned_quietly(first);
  Symbol& s = in.program().symbols[alias];
  if (s.is_defined()) {
    in.error(fmt::format("symbol '{}' is already defined", s.text()));
    return;
  }
  s.kind = SymbolKind::expression;
  s.value = in.program().exprs.leaf({.add = to}, in.program().sources.statement_loc());
  s.flags |= symbol_weakref;
  s.loc = in.program().sources.statement_loc();
  if (in.program().is_coff) note_weakref_target(in.program(), to);
}

/// .symver name, name2@VERSION [, remove | local | hidden]
void directive_symver(Reader& in, u32) {
  const SymbolId first = in.program().symbols.size();
  SymbolId id;
  if (!parse_symbol(in, id, "a symbol name") || !expect_comma(in, "the symbol")) return;
  in.out.mentioned_quietly(first);
  const char* start = in.p;
  // On ARM, where @ begins a comment, it does not here.
  while (*in.p != ',' && !in.program().chars.is(*in.p, char_blank) && (*in.p == '@' || !at_end(in))) ++in.p;
  const std::string_view versioned{start, std::size_t(in.p - start)};
  if (versioned.find('@') == versioned.npos)
    return in.error(start, fmt::format("'{}' has no version: expected name@VERSION", versioned));
  SymbolVersion v{id, versioned, true, in.program().sources.statement_loc()};
  if (accept_comma(in)) {
    const Name word = scan_name(in.p);
    if (word.text() == "remove") {
      v.keep_original = false;
    } else if (word.text() == "local") {
      v.original = SymbolVersion::local;
    } else if (word.text() == "hidden") {
      v.original = SymbolVersion::hidden;
    } else {
      return in.error_here("expected 'remove', 'local' or 'hidden'");
    }
    in.p += word.size;
  }
  in.program().records.versions.push_back(v);
}

void directive_addrsig(Reader& in, u32) { in.program().records.emit_addrsig = true; }

void directive_addrsig_sym(Reader& in, u32) {
  const SymbolId first = in.program().symbols.size();
  SymbolId id;
  if (!parse_symbol(in, id, "a symbol name")) return;
  in.out.mentioned_quietly(first);
  in.program().records.address_significant.push_back(id);
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
void directive_cg_profile(Reader& in, u32) {
  CallGraphEdge edge{.loc = in.program().sources.statement_loc()};
  skip_blanks(in);
  edge.from_loc = in.here();
  if (!parse_name(in, edge.from_name, "a symbol name") || !expect_comma(in, "the caller")) return;
  edge.to_loc = in.here();
  if (!parse_name(in, edge.to_name, "a symbol name") || !expect_comma(in, "the callee")) return;
  if (!parse_unsigned(in, edge.count, "the count")) return;
  in.program().records.call_graph.push_back(edge);
}

}  // namespace xas
