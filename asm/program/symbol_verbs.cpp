// SPDX-License-Identifier: Apache-2.0
// Verbs about symbols: what each changes of a symbol, and what the profiles make of two that contradict each other.
#include "asm/program/symbol_verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <unordered_set>

#include "asm/program/aliases.h"
#include "asm/program/thumb_labels.h"
#include "objwriter/elf_constants.h"

namespace xas {

using namespace elf;

namespace {

void report(Streamer& out, std::string message) { out.error(out.program.sources.statement, std::move(message)); }

void report_defined(Streamer& out, const Symbol& s) {
  out.program.report_redefinition(s, out.program.sources.statement_loc());
}

/// GNU as: .weak wins over .globl and .local whatever the order, and common stays global; of .globl and .local the last
/// counts, and what is unique in a process stays so.
/// LLVM takes another one only for .weak, with a warning.
void change_binding(Streamer& out, Symbol& s, Binding wanted) {
  if (s.binding == wanted) return;
  if (out.program.profile.weak_wins) {
    const bool stays = s.binding == Binding::weak || (wanted == Binding::local && s.kind == SymbolKind::common) ||
                       (s.binding == Binding::unique && wanted == Binding::global);
    if (!stays) s.binding = wanted;
    return;
  }
  if (wanted == Binding::local && s.binding == Binding::unique) return;
  const std::string message = fmt::format("binding of '{}' is changed", s.text());
  if (wanted != Binding::weak) return report(out, message);
  out.warning(out.program.sources.statement, message);
  s.binding = wanted;
}

}  // namespace

void set_binding(Streamer& out, SymbolId id, Binding wanted) {
  Symbol& s = out.program.symbols[id];
  if (s.has(symbol_lto_discarded)) return;
  if (s.kind == SymbolKind::register_ && wanted == Binding::global) {
    report(out, fmt::format("'{}' stands for a register and can't be global", s.text()));
    return;
  }
  if (s.has(symbol_section) && out.program.profile.sections_take_names) {
    out.warning(out.program.sources.statement, fmt::format("'{}' names a section and stays local", s.text()));
    return;
  }
  s.flags |= symbol_declared;
  if (wanted == Binding::local) s.flags |= symbol_local_common;
  const bool was_local = s.is_local();
  if (was_local && wanted != Binding::local && s.kind == SymbolKind::label &&
      out.program.profile.calls_choose_at_once && !out.program.info.relocations.by_function)
    out.program.records.made_global.try_emplace(id, out.program.sources.statement_loc());
  if (s.binding != Binding::unset) [[unlikely]] return change_binding(out, s, wanted);
  s.binding = wanted;
}

void set_visibility(Streamer& out, SymbolId id, u8 visibility) {
  Symbol& s = out.program.symbols[id];
  if (s.has(symbol_lto_discarded)) return;
  s.flags |= symbol_declared;
  const u8 had = s.other & 3;  // from 1, which is internal, to 3, which is protected; 0: nothing was said
  if (out.program.profile.visibility_tightens && had && had < visibility) {
    constexpr std::string_view names[] = {"default", "internal", "hidden"};
    return out.warning(out.program.sources.statement,
                       fmt::format("symbol '{}' is {} already, which is narrower", s.text(), names[had]));
  }
  s.other = u8((s.other & ~3u) | visibility);
}

void set_type(Streamer& out, SymbolId id, u8 type, bool unique) {
  Symbol& s = out.program.symbols[id];
  if (s.has(symbol_section) && out.program.profile.sections_take_names) return;
  const bool combine = out.program.profile.types_combine;
  if (combine) {
    s.type = stronger_type(s.type, type);
  } else {
    // GNU as: thread-local and indirect last, and count again with an object and a function.
    const bool lasts = (s.type == STT_TLS && type == STT_OBJECT) || (s.type == STT_GNU_IFUNC && type == STT_FUNC);
    if (!lasts) s.type = type;
  }
  s.flags |= symbol_declared;
  if (out.program.info.labels.thumb) mark_typed_thumb_label(out.program, id, type);
  if (unique) s.binding = Binding::unique;
  out.program.gnu_abi |= unique || type == STT_GNU_IFUNC;
  if (out.frame_synthesis && s.type == STT_FUNC) out.frame_synthesis->begin_function(out, id);
}

void set_common_type(Streamer& out, SymbolId id) {
  Symbol& s = out.program.symbols[id];
  s.flags |= symbol_declared;
  const bool makes_common = out.program.profile.type_makes_common;
  if (makes_common && s.is_defined() && s.kind != SymbolKind::common) return report_defined(out, s);
  s.type = STT_OBJECT;
  if (!makes_common || s.kind == SymbolKind::common) return;
  s.kind = SymbolKind::common;
  s.value = 0;
  s.fragment = 1;
  if (s.binding == Binding::unset) s.binding = Binding::global;
}

void set_size(Streamer& out, SymbolId id, Value value, SourceLoc loc) {
  out.program.symbols[id].flags |= symbol_sized;
  out.program.note_temporary(id);
  out.fold(value);
  out.pin_dot(value);
  out.program.records.sizes.push_back({id, value, loc, out.crossed_padding});
  if (out.frame_synthesis) out.frame_synthesis->note_size(out, id);
}

void name_register(Streamer& out, SymbolId id, u32 number, SourceLoc loc) {
  Program& program = out.program;
  const Symbol& old = program.symbols[id];
  if (old.binding == Binding::global)
    return report(out, fmt::format("'{}' is global and can't stand for a register", old.text()));
  if (old.kind != SymbolKind::register_ && old.is_defined() && old.has(symbol_redefinable) &&
      old.has(symbol_referenced)) {  // what has been read so far keeps the old value
    const SymbolId fresh = program.symbols.rebind(id);
    if (!program.profile.redefinition_is_new) out.keep_place(id, fresh);
    id = fresh;
  }
  Symbol& s = program.symbols[id];
  out.has_register_aliases = true;
  s.kind = SymbolKind::register_;
  s.value = number;
  s.flags |= symbol_redefinable | symbol_temporary;
  s.loc = loc;
}

void equate(Streamer& out, SymbolId id, Value value, SourceLoc loc) {
  out.fold(value);
  out.pin_dot(value);
  Symbol& s = out.program.symbols[id];
  s.flags |= symbol_equation;
  s.kind = SymbolKind::expression;
  s.value = out.program.exprs.leaf(value, loc);
}

void end_equation(Streamer& out, SymbolId id, Value value, SourceLoc loc) {
  out.fold(value);
  const bool only_place = value.add == dot_symbol && value.sub == no_symbol;
  out.pin_dot(value);
  Symbol& s = out.program.symbols[id];
  s.flags &= u16(~symbol_equation);
  if (only_place) s.flags |= symbol_anonymous;  // GNU as lists what comes to a number, but no place
  s.kind = SymbolKind::expression;
  s.value = out.program.exprs.leaf(value, loc);
}

void discard_definitions(Streamer& out, SymbolId id) {
  out.watches_labels = true;
  out.program.symbols[id].flags |= symbol_lto_discarded;
  out.lto_discarded.push_back(id);
}

void end_discards(Streamer& out) {
  for (SymbolId id : out.lto_discarded) out.program.symbols[id].flags &= u16(~symbol_lto_discarded);
  out.lto_discarded.clear();
}

void alias_when_defined(Streamer& out, const Name& name, SymbolId target, SourceLoc loc) {
  out.watches_labels = true;
  out.conditional_aliases[target].push_back({name, loc});
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

void declare(Streamer& out, SymbolId id) { out.program.symbols[id].flags |= symbol_declared; }

void refer_to(Streamer& out, SymbolId id) { out.program.symbols[id].flags |= symbol_referenced | symbol_declared; }

void refer_weakly(Streamer& out, SymbolId alias, SymbolId to) {
  Symbol& s = out.program.symbols[alias];
  if (s.is_defined()) return report_defined(out, s);
  s.kind = SymbolKind::expression;
  s.value = out.program.exprs.leaf({.add = to}, out.program.sources.statement_loc());
  s.flags |= symbol_weakref;
  s.loc = out.program.sources.statement_loc();
  if (out.program.is_coff) note_weakref_target(out.program, to);
}

void tag_memory(Streamer& out, SymbolId id) { out.program.records.memory_tagged.push_back(id); }

void assign_after_value(Streamer& out, SymbolId id, const Value& value, SymbolId first, SourceLoc loc,
                        bool redefinable) {
  Program& program = out.program;
  program.note_temporary(id);
  const SymbolId fresh = program.symbols.size();
  out.assign(id, value, loc, redefinable);
  if (program.profile.redefinition_is_new && fresh != first && program.symbols.size() != fresh)
    list_before(out, first, fresh);
}

// Common storage

unsigned largest_common_log2_align(const Program& program) { return program.is_coff ? 32 : 31; }

namespace {

/// Storage of a local symbol: in .bss or its like.
void allocate(Streamer& out, const CommonStorage& storage, std::string_view section) {
  const SourceLoc loc = out.program.sources.statement_loc();
  Subsection* const before = out.current;
  Subsection* const before_previous = out.previous;
  Section& bss = out.program.section_named(section);
  out.switch_to(out.program.sections.subsection(bss, out.program.profile.local_common_subsection));
  out.emit_align(storage.align ? unsigned(std::countr_zero(storage.align)) : 0, 1, 0, 0, loc);
  out.define_label(storage.id, loc);
  out.program.symbols[storage.id].type = STT_OBJECT;
  out.program.records.sizes.push_back({storage.id, {.constant = i64(storage.size)}, loc});
  // For GNU as the alignment alone is data that are marked.
  const bool marks = out.program.profile.maps_all_data;
  const Mapping aligned = out.mapping;
  if (!marks) out.mapping = Mapping::off;
  out.emit_fill({.constant = i64(storage.size)}, 1, 0, loc);
  if (!marks) out.mapping = aligned;
  out.return_to(*before, before_previous);
}

std::string other_size(const Symbol& s, u64 size) {
  return fmt::format("size of common symbol '{}' is {} already, not {}", s.text(), s.value, size);
}

/// Of several sizes GNU as keeps the first, but for 0, and of several alignments the last; LLVM refuses other sizes.
void common_again(Streamer& out, Symbol& s, CommonStorage storage) {
  const bool may_differ = out.program.profile.common_sizes_may_differ;
  if (s.value != storage.size && s.value != 0) {
    if (!may_differ) return report(out, other_size(s, storage.size));
    warn_of_common_size(out, s, storage.size);
  }
  if (s.value == 0) s.value = storage.size;
  if (!storage.align) storage.align = natural_alignment(out.program, s.value, true);
  s.fragment = may_differ ? u32(storage.align) : std::max(s.fragment, u32(storage.align));
}

}  // namespace

void forget_value(Program& program, SymbolId& id) {
  if (!program.symbols[id].has(symbol_redefinable) || !program.symbols[id].is_defined()) return;
  id = program.symbols.rebind(id);
  program.symbols[id].flags &= u16(~symbol_redefinable);
  program.symbols[id].kind = SymbolKind::undefined;
}

u64 natural_alignment(const Program& program, u64 size, bool common) {
  if (!program.profile.natural_common_align) return 1;
  if (common) return size > 8 ? 16 : std::bit_ceil(std::max<u64>(size, 1));
  return size > 8 ? 8 : std::bit_floor(std::max<u64>(size, 1));
}

void warn_of_common_size(Streamer& out, const Symbol& s, u64 size) {
  out.warning(out.program.sources.statement, other_size(s, size));
}

namespace {

/// .largecomm is .comm but on x86-64.
bool has_large_common(const Program& program) {
  return !program.profile.bfd_section_names || program.info.elf.machine == EM_X86_64;
}

}  // namespace

void emit_common(Streamer& out, CommonStorage storage) {
  storage.large = storage.large && has_large_common(out.program);
  if (storage.large) out.program.section_named(".lbss");
  forget_value(out.program, storage.id);
  Symbol& s = out.program.symbols[storage.id];
  if (s.has(symbol_local_common) && s.binding == Binding::local && !s.is_defined()) {
    if (storage.align & (storage.align - 1)) return report(out, "the alignment of a local symbol is a power of two");
    return allocate(out, storage, storage.large ? ".lbss" : ".bss");
  }
  if (s.kind == SymbolKind::common) return common_again(out, s, storage);
  if (s.is_defined()) return report_defined(out, s);
  s.kind = SymbolKind::common;
  s.value = storage.size;
  s.fragment = u32(storage.align ? storage.align : natural_alignment(out.program, storage.size, true));
  s.loc = out.program.sources.statement_loc();
  if (s.binding == Binding::unset) s.binding = Binding::global;
  if (s.type == STT_NOTYPE) s.type = STT_OBJECT;
  if (storage.large) s.flags |= symbol_large_common;
  if (storage.tls) s.type = STT_TLS;
}

void emit_local_common(Streamer& out, CommonStorage storage) {
  if (!storage.align) storage.align = natural_alignment(out.program, storage.size, false);
  Symbol& s = out.program.symbols[storage.id];
  if (!out.program.profile.weak_wins || s.binding == Binding::unset) s.binding = Binding::local;
  allocate(out, storage, ".bss");
}

// For the end

void list_before(Streamer& out, SymbolId place, SymbolId id) {
  out.program.order.listed_late.emplace_back(place, id);
}

void add_file_symbol(Streamer& out, std::string_view name) {
  Program& program = out.program;
  if (program.profile.line_renumbers) program.stab_lines.source_name.named(out, name);
  program.order.file_symbols.push_back({program.symbols.keep(name), program.symbols.size()});
}

void add_version(Streamer& out, const SymbolVersion& version) { out.program.records.versions.push_back(version); }

void list_address_significance(Streamer& out) { out.program.records.emit_addrsig = true; }

void add_address_significant(Streamer& out, SymbolId id) { out.program.records.address_significant.push_back(id); }

void add_call_edge(Streamer& out, const CallGraphEdge& edge) { out.program.records.call_graph.push_back(edge); }

namespace {

void name_call_graph(Program& program) {
  for (CallGraphEdge& edge : program.records.call_graph) {
    const auto symbol = [&](const Name& name, SourceLoc loc) {
      const SymbolId id = program.symbols.intern(name);
      Symbol& s = program.symbols[id];
      s.mention(loc);
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

void name_table_labels(Program& program) {
  std::unordered_set<SymbolId> named;
  for (DwarfLines::TableLabel& label : program.lines.table_labels) {
    const SymbolId known = program.symbols.size();
    label.symbol = program.symbols.intern(label.name);
    Symbol& s = program.symbols[label.symbol];
    if ((s.is_defined() || !named.insert(label.symbol).second) && program.diags.errors() == 0)
      program.diags.error(label.loc, fmt::format("symbol '{}' is already defined", s.text()));
    if (label.symbol >= known && program.profile.sizes_are_no_reference)
      program.order.listed_late.emplace_back(no_symbol, label.symbol);
  }
}

}  // namespace

void finish_symbols(Program& program) {
  name_call_graph(program);
  name_table_labels(program);
}

void warn_of_multibyte_symbols(Program& program) {
  for (SymbolId id = 0; id < program.symbols.size(); ++id) {
    const Symbol& s = program.symbols[id];
    const std::string_view name = s.text();
    const bool ascii = std::all_of(name.begin(), name.end(), [](char c) { return u8(c) < 0x80; });
    if (!ascii && s.is_defined())
      program.diags.warning(s.loc, fmt::format("symbol '{}' has multibyte characters", name));
  }
}

}  // namespace xas
