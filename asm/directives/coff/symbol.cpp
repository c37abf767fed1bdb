// SPDX-License-Identifier: Apache-2.0
// Directives that only COFF has, or that mean something else there: fields of four and two bytes for the linker (.rva,
// .secrel32, .secidx, .symidx), weak symbols, common storage. .def to .endef are in def.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "asm/directives/coff.h"
#include "asm/directives/directives.h"
#include "asm/directives/seh.h"
#include "asm/read/parse.h"
#include "objwriter/coff_constants.h"
#include "targets/nearest_name.h"

namespace xas {

using namespace coff;

// Fields for the linker

/// .rva, .secrel32, .secidx: expression [, expression]...; which one is the modifier that `kind` names
void directive_coff_field(Reader& reader, u32 kind) {
  constexpr std::string_view modifiers[] = {"IMGREL", "SECREL32", "SECIDX"};
  const unsigned size = kind == coff_field_section_index ? 2 : 4;
  do {
    skip_blanks(reader);
    const SourceLoc loc = reader.here();
    Value value;
    if (!reader.expression_value(value)) return;
    reader.out.fold(value);
    if (!value.is_constant()) value.modifier = reader.program().target.modifier(modifiers[kind]);
    reader.out.emit_value(value, size, loc);
  } while (accept_comma(reader));
}

namespace {

void emit_symbol_index(Streamer& out, SymbolId id, CoffSymbolIndex::Kind kind = CoffSymbolIndex::index) {
  out.program.symbols[id].flags |= symbol_referenced | symbol_declared;
  out.program.coff.symbol_indices.push_back({.kind = kind,
                                             .subsection = out.current->id,
                                             .pos = u32(out.current->size),
                                             .fragment = u32(out.current->fragments.size()),
                                             .symbol = id,
                                             .loc = out.program.sources.statement_loc()});
  out.emit_int(0, 4);
}

}  // namespace

/// .symidx symbol: its index in the symbol table
void directive_symidx(Reader& reader, u32) {
  SymbolId id;
  if (!parse_symbol(reader, id, "a symbol name") || !reader.out.can_emit()) return;
  Section& s = reader.out.current_section();
  s.log2_align = std::max<u8>(s.log2_align, 2);
  emit_symbol_index(reader.out, id);
}

/// .secnum symbol: the number of its section      .secoffset symbol: its offset there
void directive_section_place(Reader& reader, u32 offset) {
  SymbolId id;
  if (!parse_symbol(reader, id, "a symbol name") || !reader.out.can_emit()) return;
  emit_symbol_index(reader.out, id, offset ? CoffSymbolIndex::section_offset : CoffSymbolIndex::section_number);
}

/// .safeseh symbol: a handler of 32-bit exceptions, listed in .sxdata
void directive_safeseh(Reader& reader, u32) {
  SymbolId id;
  if (!parse_symbol(reader, id, "a symbol name")) return;
  if (reader.program().info.coff.machine != IMAGE_FILE_MACHINE_I386) return;
  for (SymbolId known : reader.program().coff.safe_handlers) {
    if (known == id) return;
  }
  reader.program().coff.safe_handlers.push_back(id);
  Subsection* const before = reader.out.current;
  Section& s = reader.program().section_named(".sxdata");
  s.log2_align = std::max<u8>(s.log2_align, 2);
  reader.out.current = &reader.program().sections.sub(s.default_subsection);
  emit_symbol_index(reader.out, id);
  reader.out.current = before;
  reader.program().symbols[id].coff_type = IMAGE_SYM_DTYPE_FUNCTION;  // link.exe takes nothing else
}

// Symbols

namespace {

/// GNU as: the symbol of a weak one's default has its place in the symbol table from here on.
void add_weak_default(Program& program, SymbolId weak) {
  if (!program.profile.coff_symbols_by_reference) return;
  const SymbolId other = program.symbols.intern_copy(fmt::format(".weak.{}", program.symbols[weak].text()));
  program.symbols[other].flags |= symbol_coff_default;
}

}  // namespace

void note_weakref_target(Program& program, SymbolId target) {
  const Symbol& s = program.symbols[target];
  if (s.is_defined() || s.has(symbol_referenced) || s.binding == Binding::global) return;
  program.coff.weakref_targets.push_back(target);
  add_weak_default(program, target);
}

/// .weak name [, name]...      .weak_anti_dep
void directive_coff_weak(Reader& reader, u32 anti_dependency) {
  if (at_end_of_statement(reader)) return;
  do {
    SymbolId id;
    if (!parse_symbol(reader, id, "a symbol name")) return;
    Symbol& s = reader.program().symbols[id];
    s.flags |= symbol_declared;
    s.binding = Binding::weak;
    s.type = anti_dependency ? u8(IMAGE_WEAK_EXTERN_ANTI_DEPENDENCY) : reader.program().profile.coff_weak_search;
    if (reader.program().profile.coff_symbol_classes)
      s.other = IMAGE_SYM_CLASS_WEAK_EXTERNAL;  // until .def says another one
    add_weak_default(reader.program(), id);
  } while (accept_comma(reader));
}

/// .globl name [, name]...
void directive_coff_global(Reader& reader, u32) {
  do {
    SymbolId id;
    if (!parse_symbol(reader, id, "a symbol name")) return;
    Symbol& s = reader.program().symbols[id];
    s.flags |= symbol_declared;
    if (s.binding == Binding::weak) {  // and stays so
      if (reader.program().profile.coff_weak_wins) continue;
    } else {
      s.binding = Binding::global;
    }
    if (reader.program().coff.unique_name.empty() && !s.text().starts_with('.'))
      reader.program().coff.unique_name = s.text();
  } while (accept_comma(reader));
}

namespace {

struct Storage {
  SymbolId id;
  u64 size = 0;
  u8 log2_align = 0;
  bool has_align = false;
};

/// name [,] size [, alignment]; the alignment is a power of two, or (`log2`) its logarithm
bool parse_storage(Reader& reader, Storage& s, bool log2) {
  if (!parse_symbol(reader, s.id, "a symbol name")) return false;
  accept_comma(reader);
  i64 number;
  const char* where = reader.p;
  if (!reader.absolute(number, "the size")) return false;
  if (number < 0) return reader.error(where, "size must not be negative"), false;
  s.size = u64(number);
  if (!accept_comma(reader)) return true;
  where = reader.p;
  if (!reader.absolute(number, "the alignment")) return false;
  s.has_align = true;
  constexpr i64 largest_log2 = 32;  // what linkers make of a common symbol's is their affair
  if (log2 ? number < 0 || number > largest_log2 : number < 0 || (number & (number - 1)) || number > 8192) {
    reader.error(where, fmt::format("alignment {} is not {}", number,
                                log2 ? "between 0 and 32 (it is a power of two)" : "a power of two up to 8192"));
    return false;
  }
  s.log2_align = u8(log2 ? number : number ? std::countr_zero(u64(number)) : 0);
  return true;
}

/// COFF has no alignment of common symbols: the linker is told by an option in .drectve.
void note_alignment(Streamer& out, const Storage& s) {
  Subsection* const before = out.current;
  out.current = &out.program.sections.sub(out.program.section_named(".drectve").default_subsection);
  const std::string option = fmt::format(" -aligncomm:\"{}\",{}", out.program.symbols[s.id].text(), s.log2_align);
  out.emit_bytes(option.data(), option.size());
  out.current = before;
}

}  // namespace

/// .comm name, size [, log2 of the alignment]
void directive_coff_comm(Reader& reader, u32) {
  Storage storage;
  if (!parse_storage(reader, storage, true)) return;
  forget_value(reader.program(), storage.id);
  Symbol& s = reader.program().symbols[storage.id];
  if (s.is_defined() && s.kind != SymbolKind::common) {
    reader.error(fmt::format("symbol '{}' is already defined", s.text()));
    reader.program().diags.note(s.loc, "here");
    return;
  }
  // Microsoft's linker aligns by size.
  if (reader.program().options.msvc && reader.program().profile.coff_msvc_commons) {
    if (storage.log2_align > 5) return reader.error("common symbols can be aligned to 32 bytes here");
    storage.size = std::max(storage.size, u64(1) << storage.log2_align);
  }
  const bool largest =
      s.kind == SymbolKind::common && reader.program().profile.coff_common_largest;  // else the last one's
  s.value = largest ? std::max(s.value, storage.size) : storage.size;
  s.kind = SymbolKind::common;
  s.fragment = 1;
  s.loc = reader.program().sources.statement_loc();
  s.flags |= symbol_declared;
  if (s.binding == Binding::unset) s.binding = Binding::global;
  if (reader.program().coff.unique_name.empty() && !s.text().starts_with('.'))
    reader.program().coff.unique_name = s.text();
  const bool told = reader.program().profile.coff_msvc_commons ? storage.log2_align && !reader.program().options.msvc
                                                           : storage.has_align && storage.log2_align;
  if (told) note_alignment(reader.out, storage);
}

/// .lcomm name, size [, alignment]
void directive_coff_lcomm(Reader& reader, u32) {
  Storage storage;
  if (!parse_storage(reader, storage, false)) return;
  if (!storage.has_align && reader.program().profile.natural_common_align) {
    storage.log2_align = storage.size >= 8 ? 3 : storage.size >= 4 ? 2 : storage.size >= 2 ? 1 : 0;
  }
  Subsection* const before = reader.out.current;
  Subsection* const before_previous = reader.out.previous;
  Section& bss = reader.program().section_named(".bss");
  reader.out.switch_to(reader.program().sections.subsection(bss, reader.program().profile.local_common_subsection));
  reader.out.emit_align(storage.log2_align, 1, 0, 0, reader.here());
  reader.out.define_label(storage.id, reader.program().sources.statement_loc());
  if (reader.program().symbols[storage.id].other != IMAGE_SYM_CLASS_EXTERNAL &&
      reader.program().profile.coff_symbol_classes) {
    reader.program().symbols[storage.id].other = IMAGE_SYM_CLASS_STATIC;
  }
  reader.out.emit_fill({.constant = i64(storage.size)}, 1, 0, reader.here());
  reader.out.current = before;
  reader.out.previous = before_previous;
}

/// .ident "string": GNU as puts it into read-only data.
void directive_coff_ident(Reader& reader, u32) {
  std::string_view text;
  std::string storage;
  if (!parse_string(reader, text, storage)) return;
  if (!reader.program().profile.coff_ident_is_data) return;
  Subsection* const before = reader.out.current;
  reader.out.current = &reader.program().sections.sub(
      coff_section(reader.program(), ".rdata$zzz", coff_default_characteristics(reader.program(), ".rdata$zzz"))
          .default_subsection);
  reader.out.emit_bytes(text.data(), text.size());
  reader.out.emit_int(0, 1);
  reader.out.current = before;
}

void directive_coff_addrsig_sym(Reader& reader, u32) {
  Name name;
  if (parse_name(reader, name, "a symbol name")) reader.program().coff.address_significant.push_back(name);
}

/// What an object for Windows has no place for. Configure scripts try these to learn what there is.
void directive_of_elf(Reader& reader, u32) {
  reader.error("this directive is for ELF, an object for Windows has nothing like it");
}

/// .cg_profile from, to, count
void directive_coff_cg_profile(Reader& reader, u32) {
  CoffState::Call call{.loc = reader.program().sources.statement_loc()};
  if (!parse_name(reader, call.from, "a symbol name") || !expect_comma(reader, "the caller")) return;
  if (!parse_name(reader, call.to, "a symbol name") || !expect_comma(reader, "the callee")) return;
  if (!parse_unsigned(reader, call.count, "the count")) return;
  reader.program().coff.calls.push_back(call);
}

const Directive* find_coff_directive(const Name& name) {
  static constexpr DirectiveTable<std::size(coff_directives) + std::size(seh_directives)> table{coff_directives,
                                                                                                seh_directives};
  return table.find(name);
}

void offer_coff_directives(NearestName& nearest) {
  for (const Directive& d : coff_directives) nearest.offer(d.name);
  for (const Directive& d : seh_directives) nearest.offer(d.name);
}

}  // namespace xas
