// SPDX-License-Identifier: Apache-2.0
// Verbs of COFF: what each changes of a symbol, and the sections that say to the linker what symbols can't.
#include "asm/program/coff_verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "asm/program/symbol_verbs.h"
#include "objwriter/coff_constants.h"

namespace xas {

using namespace coff;

// Fields for the linker

void emit_symbol_index(Streamer& out, SymbolId id, CoffSymbolIndex::Kind kind) {
  refer_to(out, id);
  if (kind == CoffSymbolIndex::index) {
    Section& section = out.current_section();
    section.log2_align = std::max<u8>(section.log2_align, 2);
  }
  out.program.coff.symbol_indices.push_back({.kind = kind,
                                             .subsection = out.current->id,
                                             .pos = u32(out.current->size),
                                             .fragment = u32(out.current->fragments.size()),
                                             .symbol = id,
                                             .loc = out.program.sources.statement_loc()});
  out.emit_int(0, 4);
}

void add_safe_handler(Streamer& out, SymbolId id) {
  if (out.program.info.coff.machine != IMAGE_FILE_MACHINE_I386) return;
  if (!out.program.coff.safe_handlers.insert(id).second) return;
  Subsection* const before = out.current;
  out.current = &out.program.sections.sub(out.program.section_named(".sxdata").default_subsection);
  emit_symbol_index(out, id, CoffSymbolIndex::index);
  out.current = before;
  out.program.symbols[id].coff_type = IMAGE_SYM_DTYPE_FUNCTION;  // link.exe takes nothing else
}

// Symbols

namespace {

/// GNU as: the symbol of a weak one's default has its place in the symbol table from here on.
void add_weak_default(Program& program, SymbolId weak) {
  if (!program.profile.coff_symbols_by_reference) return;
  const SymbolId other = program.symbols.intern_copy(fmt::format(".weak.{}", program.symbols[weak].text()));
  program.symbols[other].flags |= symbol_coff_default;
}

/// The first global symbol makes the names of weak defaults unique.
void note_unique_name(Program& program, const Symbol& s) {
  if (program.coff.unique_name.empty() && !s.text().starts_with('.')) program.coff.unique_name = s.text();
}

}  // namespace

void note_weakref_target(Program& program, SymbolId target) {
  const Symbol& s = program.symbols[target];
  if (s.is_defined() || s.has(symbol_referenced) || s.binding == Binding::global) return;
  program.coff.weakref_targets.push_back(target);
  add_weak_default(program, target);
}

void make_weak(Streamer& out, SymbolId id, bool anti_dependency) {
  Symbol& s = out.program.symbols[id];
  s.flags |= symbol_declared;
  s.binding = Binding::weak;
  s.weak_search() = anti_dependency ? u8(IMAGE_WEAK_EXTERN_ANTI_DEPENDENCY) : out.program.profile.coff_weak_search;
  if (out.program.profile.coff_symbol_classes)
    s.storage_class() = IMAGE_SYM_CLASS_WEAK_EXTERNAL;  // until .def says another one
  add_weak_default(out.program, id);
}

void make_global(Streamer& out, SymbolId id) {
  Symbol& s = out.program.symbols[id];
  if (s.has(symbol_lto_discarded)) return;
  s.flags |= symbol_declared;
  if (s.binding != Binding::weak) {
    s.binding = Binding::global;
  } else if (out.program.profile.coff_weak_wins) {
    return;
  }
  note_unique_name(out.program, s);
}

// Common storage

namespace {

/// COFF has no alignment of common symbols: the linker is told by an option in .drectve.
void note_alignment(Streamer& out, const CoffStorage& s) {
  Subsection* const before = out.current;
  out.current = &out.program.sections.sub(out.program.section_named(".drectve").default_subsection);
  const std::string option = fmt::format(" -aligncomm:\"{}\",{}", out.program.symbols[s.id].text(), s.log2_align);
  out.emit_bytes(option.data(), option.size());
  out.current = before;
}

}  // namespace

void emit_coff_common(Streamer& out, CoffStorage storage) {
  Program& program = out.program;
  forget_value(program, storage.id);
  Symbol& s = program.symbols[storage.id];
  if (s.is_defined() && s.kind != SymbolKind::common) {
    program.report_redefinition(s, program.sources.statement_loc());
    return;
  }
  const bool for_microsoft = program.options.msvc && program.profile.coff_msvc_commons;  // whose linker aligns by size
  if (for_microsoft) {
    if (storage.log2_align > 5)
      return out.error(program.sources.statement, "common symbols can be aligned to 32 bytes here");
    storage.size = std::max(storage.size, u64(1) << storage.log2_align);
  }
  const bool again = s.kind == SymbolKind::common && s.value && program.profile.coff_common_first;
  if (!again) s.value = storage.size;
  if (again && s.value != storage.size) warn_of_common_size(out, s, storage.size);
  s.kind = SymbolKind::common;
  s.fragment = 1;
  s.loc = program.sources.statement_loc();
  s.flags |= symbol_declared;
  if (s.binding == Binding::unset) s.binding = Binding::global;
  note_unique_name(program, s);
  const bool told = program.profile.coff_msvc_commons ? storage.log2_align && !program.options.msvc
                                                      : storage.has_align && storage.log2_align;
  if (told) note_alignment(out, storage);
}

void emit_coff_local_common(Streamer& out, CoffStorage storage, SourceLoc loc) {
  Program& program = out.program;
  if (!storage.has_align)
    storage.log2_align = u8(std::countr_zero(natural_alignment(program, storage.size, false)));
  Subsection* const before = out.current;
  Subsection* const before_previous = out.previous;
  Section& bss = program.section_named(".bss");
  out.switch_to(program.sections.subsection(bss, program.profile.local_common_subsection));
  out.emit_align(storage.log2_align, 1, 0, 0, loc);
  out.define_label(storage.id, program.sources.statement_loc());
  Symbol& s = program.symbols[storage.id];
  if (s.storage_class() != IMAGE_SYM_CLASS_EXTERNAL && program.profile.coff_symbol_classes)
    s.storage_class() = IMAGE_SYM_CLASS_STATIC;
  out.emit_fill({.constant = i64(storage.size)}, 1, 0, loc);
  out.current = before;
  out.previous = before_previous;
}

// Sections

namespace {

/// GNU as: of several .linkonce of a section, what each asks for holds. Two bits stand for the selections in BFD.
u8 combined_selection(u8 first, u8 second) {
  constexpr u8 selections_of_bits[] = {IMAGE_COMDAT_SELECT_ANY, IMAGE_COMDAT_SELECT_NODUPLICATES,
                                       IMAGE_COMDAT_SELECT_SAME_SIZE, IMAGE_COMDAT_SELECT_EXACT_MATCH};
  unsigned bits = 0;
  for (unsigned i = 0; i < std::size(selections_of_bits); ++i) {
    if (selections_of_bits[i] == first || selections_of_bits[i] == second) bits |= i;
  }
  const bool known = first <= IMAGE_COMDAT_SELECT_EXACT_MATCH && second <= IMAGE_COMDAT_SELECT_EXACT_MATCH;
  return known ? selections_of_bits[bits] : second;
}

}  // namespace

void make_comdat(Streamer& out, u8 selection) {
  Section& s = out.current_section();
  s.selection = s.selection ? combined_selection(s.selection, selection) : selection;
  s.characteristics |= IMAGE_SCN_LNK_COMDAT;
  s.comdat = true;
}

// For the end, and for the linker

void emit_coff_ident(Streamer& out, std::string_view text) {
  Program& program = out.program;
  if (!program.profile.coff_ident_is_data) return;
  Subsection* const before = out.current;
  out.current = &program.sections.sub(
      coff_section(program, ".rdata$zzz", coff_default_characteristics(program, ".rdata$zzz")).default_subsection);
  out.emit_bytes(text.data(), text.size());
  out.emit_int(0, 1);
  out.current = before;
}

void add_coff_address_significant(Streamer& out, const Name& name) {
  out.program.coff.address_significant.push_back(name);
}

void add_coff_call(Streamer& out, const CoffState::Call& call) { out.program.coff.calls.push_back(call); }

namespace {

bool is_temporary(const Program& program, const Name& name) {
  const bool dot = name.size >= 2 && name.p[0] == '.' && name.p[1] == 'L';
  if (program.info.names.dollar_m_temporary) return name.text().starts_with("$M");
  if (dot) return program.info.names.dot_l_temporary;
  return program.info.names.plain_l_temporary && name.size && name.p[0] == 'L';
}

}  // namespace

void name_coff_calls(Program& program) {
  for (const CoffState::Call& c : program.coff.calls) {
    if (is_temporary(program, c.from) || is_temporary(program, c.to)) continue;
    CallGraphEdge edge{.count = c.count, .loc = c.loc};
    edge.from = program.symbols.intern(c.from);
    edge.to = program.symbols.intern(c.to);
    for (SymbolId id : {edge.from, edge.to}) program.symbols[id].flags |= symbol_referenced;
    program.records.call_graph.push_back(edge);
  }
}

// Definitions

void begin_definition(Streamer& out, const Name& name) {
  Program& program = out.program;
  CoffDefinition d{.existed = program.symbols.find(name) != no_symbol, .loc = program.sources.statement_loc()};
  d.symbol = program.symbols.intern(name);
  Symbol& s = program.symbols[d.symbol];
  if (s.loc == 0) s.loc = d.loc;
  d.type = s.coff_type;
  d.storage_class = s.storage_class();
  program.coff.definition = d;
}

void define_storage_class(Streamer& out, u8 storage_class) {
  out.program.coff.definition.storage_class = storage_class;
  out.program.coff.definition.declared = true;
}

void define_type(Streamer& out, u16 type) {
  out.program.coff.definition.type = type;
  out.program.coff.definition.declared = true;
}

void define_value(Streamer& out, Value value) {
  out.pin_dot(value);
  CoffDefinition& d = out.program.coff.definition;
  d.value = value;
  // Its own name stands for the value that it has elsewhere.
  d.has_value = !(value.is_symbol_plus_constant() && value.add == d.symbol && value.constant == 0);
}

void define_size(Streamer& out, u16 size) {
  out.program.coff.definition.fields.size = size;
  out.program.coff.definition.fields.any = true;
}

void define_dimension(Streamer& out, unsigned number, u16 size) {
  SdbFields& fields = out.program.coff.definition.fields;
  fields.any = true;
  if (number < std::size(fields.dimensions)) fields.dimensions[number] = size;
}

void define_tag(Streamer& out, const Name& name) {
  CoffState& coff = out.program.coff;
  SdbFields& fields = coff.definition.fields;
  fields.any = true;
  if (const auto known = coff.tags.find(name.text()); known != coff.tags.end()) {
    fields.tag = known->second;
    return;
  }
  fields.tag_symbol = out.program.symbols.intern(name);
  out.program.symbols[fields.tag_symbol].flags |= symbol_declared;
}

void define_line(Streamer& out, u16 line) {
  CoffState& coff = out.program.coff;
  const std::string_view name = out.program.symbols[coff.definition.symbol].text();
  coff.definition.fields.any = true;
  if (name == ".bf") coff.base_line = line;
  coff.definition.fields.line = name == ".ef" ? u16(line + coff.base_line) : line;
}

void end_definition(Streamer& out) {
  Program& program = out.program;
  CoffState& coff = program.coff;
  const CoffDefinition d = coff.definition;
  coff.definition = {};
  Symbol& s = program.symbols[d.symbol];
  const bool placed = s.is_defined() && s.kind != SymbolKind::common;
  if (is_sdb_class(d.storage_class)) {
    if (program.profile.coff_sdb) {
      const u32 number = u32(coff.sdb.size());
      if (is_sdb_tag(d.storage_class)) coff.tags.try_emplace(s.text(), number);
      coff.moves.push_back({no_symbol, program.symbols.size(), number});
      coff.sdb.push_back({s.text(), d.type, d.storage_class, d.has_value ? d.value : Value{}, d.fields});
      return;
    }
    if (placed) return;
  }
  if (d.declared) s.flags |= symbol_declared;
  s.coff_type = d.type;
  s.storage_class() = d.storage_class;
  if (d.fields.any) coff.sdb_fields[d.symbol] = d.fields;
  if (d.has_value && !(placed && program.profile.coff_def_keeps_labels)) out.assign(d.symbol, d.value, d.loc, true);
  if (!d.existed || is_function_type(d.type) || d.storage_class == IMAGE_SYM_CLASS_STATIC)
    coff.moves.push_back({d.symbol, program.symbols.size()});
}

void close_definition(Streamer& out) {
  Program& program = out.program;
  const CoffDefinition& d = program.coff.definition;
  if (d.symbol == no_symbol) return;
  constexpr const char* text = ".def without .endef";
  if (!program.profile.coff_def_may_stay_open) return program.diags.error(d.loc, text);
  program.diags.warning(d.loc, text);
  end_definition(out);
}

}  // namespace xas
