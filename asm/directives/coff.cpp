// Directives that only COFF has, or that mean something else there: fields of four and two bytes for the linker (.rva,
// .secrel32, .secidx, .symidx), weak symbols, common storage. .def to .endef are in coff_def.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "asm/directives/codeview.h"
#include "asm/directives/coff.h"
#include "asm/directives/directives.h"
#include "asm/directives/seh.h"
#include "asm/parse.h"
#include "objwriter/coff_constants.h"

namespace xas {

using namespace coff;

// Fields for the linker

/// .rva, .secrel32, .secidx: expression [, expression]...; which one is the modifier that `kind` names
void directive_coff_field(Assembler& a, u32 kind) {
  constexpr std::string_view modifiers[] = {"IMGREL", "SECREL32", "SECIDX"};
  const unsigned size = kind == coff_field_section_index ? 2 : 4;
  do {
    skip_blanks(a);
    const SourceLoc loc = a.here();
    Value value;
    if (!a.expression_value(value)) return;
    a.fold(value);
    if (!value.is_constant()) value.modifier = a.target.modifier(modifiers[kind]);
    a.emit_value(value, size, loc);
  } while (accept_comma(a));
}

namespace {

void emit_symbol_index(Assembler& a, SymbolId id, CoffSymbolIndex::Kind kind = CoffSymbolIndex::index) {
  a.symbols[id].flags |= symbol_referenced | symbol_declared;
  a.coff.symbol_indices.push_back({.kind = kind,
                                   .subsection = a.current->id,
                                   .pos = u32(a.current->size),
                                   .flex = u32(a.current->flexes.size()),
                                   .symbol = id,
                                   .loc = a.loc_of(a.statement_start)});
  a.emit_int(0, 4);
}

}  // namespace

/// .symidx symbol: its index in the symbol table
void directive_symidx(Assembler& a, u32) {
  SymbolId id;
  if (!parse_symbol(a, id, "a symbol name") || !a.can_emit()) return;
  Section& s = a.current_section();
  s.log2_align = std::max<u8>(s.log2_align, 2);
  emit_symbol_index(a, id);
}

/// .secnum symbol: the number of its section      .secoffset symbol: its offset there
void directive_section_place(Assembler& a, u32 offset) {
  SymbolId id;
  if (!parse_symbol(a, id, "a symbol name") || !a.can_emit()) return;
  emit_symbol_index(a, id, offset ? CoffSymbolIndex::section_offset : CoffSymbolIndex::section_number);
}

/// .safeseh symbol: a handler of 32-bit exceptions, listed in .sxdata
void directive_safeseh(Assembler& a, u32) {
  SymbolId id;
  if (!parse_symbol(a, id, "a symbol name")) return;
  if (a.info.coff_machine != IMAGE_FILE_MACHINE_I386) return;
  for (SymbolId known : a.coff.safe_handlers) {
    if (known == id) return;
  }
  a.coff.safe_handlers.push_back(id);
  Subsection* const before = a.current;
  Section& s = a.section_named(".sxdata");
  s.log2_align = std::max<u8>(s.log2_align, 2);
  a.current = &a.sections.sub(s.default_subsection);
  emit_symbol_index(a, id);
  a.current = before;
  a.symbols[id].coff_type = IMAGE_SYM_DTYPE_FUNCTION;  // link.exe takes nothing else
}

// Symbols

namespace {

/// GNU as: the symbol of a weak one's default has its place in the symbol table from here on.
void add_weak_default(Assembler& a, SymbolId weak) {
  if (!a.profile.coff_gnu_symbols) return;
  const SymbolId other = a.symbols.intern_copy(fmt::format(".weak.{}", a.symbols[weak].text()));
  a.symbols[other].flags |= symbol_coff_default;
}

}  // namespace

void note_weakref_target(Assembler& a, SymbolId target) {
  const Symbol& s = a.symbols[target];
  if (s.is_defined() || s.has(symbol_referenced) || s.binding == Binding::global) return;
  a.coff.weakref_targets.push_back(target);
  add_weak_default(a, target);
}

/// .weak name [, name]...      .weak_anti_dep
void directive_coff_weak(Assembler& a, u32 anti_dependency) {
  if (at_end_of_statement(a)) return;
  do {
    SymbolId id;
    if (!parse_symbol(a, id, "a symbol name")) return;
    Symbol& s = a.symbols[id];
    s.flags |= symbol_declared;
    s.binding = Binding::weak;
    s.type = anti_dependency ? u8(IMAGE_WEAK_EXTERN_ANTI_DEPENDENCY) : a.profile.coff_weak_search;
    if (a.profile.coff_gnu_symbols) s.other = IMAGE_SYM_CLASS_WEAK_EXTERNAL;  // until .def says another one
    add_weak_default(a, id);
  } while (accept_comma(a));
}

/// .globl name [, name]...
void directive_coff_global(Assembler& a, u32) {
  do {
    SymbolId id;
    if (!parse_symbol(a, id, "a symbol name")) return;
    Symbol& s = a.symbols[id];
    s.flags |= symbol_declared;
    if (s.binding == Binding::weak) {  // and stays so
      if (a.profile.coff_gnu_symbols) continue;
    } else {
      s.binding = Binding::global;
    }
    if (a.coff.unique_name.empty() && !s.text().starts_with('.')) a.coff.unique_name = s.text();
  } while (accept_comma(a));
}

namespace {

struct Storage {
  SymbolId id;
  u64 size = 0;
  u8 log2_align = 0;
  bool has_align = false;
};

/// name [,] size [, alignment]; the alignment is a power of two, or (`log2`) its logarithm
bool parse_storage(Assembler& a, Storage& s, bool log2) {
  if (!parse_symbol(a, s.id, "a symbol name")) return false;
  accept_comma(a);
  i64 number;
  const char* where = a.p;
  if (!a.absolute(number, "the size")) return false;
  if (number < 0) return a.error(where, "size must not be negative"), false;
  s.size = u64(number);
  if (!accept_comma(a)) return true;
  where = a.p;
  if (!a.absolute(number, "the alignment")) return false;
  s.has_align = true;
  constexpr i64 largest_log2 = 32;  // what linkers make of a common symbol's is their affair
  if (log2 ? number < 0 || number > largest_log2 : number < 0 || (number & (number - 1)) || number > 8192) {
    a.error(where, fmt::format("alignment {} is not {}", number, log2 ? "between 0 and 32 (it is a power of two)"
                                                                      : "a power of two up to 8192"));
    return false;
  }
  s.log2_align = u8(log2 ? number : number ? std::countr_zero(u64(number)) : 0);
  return true;
}

/// COFF has no alignment of common symbols: the linker is told by an option in .drectve.
void note_alignment(Assembler& a, const Storage& s) {
  Subsection* const before = a.current;
  a.current = &a.sections.sub(a.section_named(".drectve").default_subsection);
  const std::string option = fmt::format(" -aligncomm:\"{}\",{}", a.symbols[s.id].text(), s.log2_align);
  a.emit_bytes(option.data(), option.size());
  a.current = before;
}

}  // namespace

/// .comm name, size [, log2 of the alignment]
void directive_coff_comm(Assembler& a, u32) {
  Storage storage;
  if (!parse_storage(a, storage, true)) return;
  forget_value(a, storage.id);
  Symbol& s = a.symbols[storage.id];
  if (s.is_defined() && s.kind != SymbolKind::common) {
    a.error(a.statement_start, fmt::format("symbol '{}' is already defined", s.text()));
    a.diags.note(s.loc, "here");
    return;
  }
  // Microsoft's linker aligns by size.
  if (a.options.msvc && !a.profile.coff_gnu_symbols) {
    if (storage.log2_align > 5) return a.error(a.statement_start, "common symbols can be aligned to 32 bytes here");
    storage.size = std::max(storage.size, u64(1) << storage.log2_align);
  }
  const bool largest = s.kind == SymbolKind::common && a.profile.coff_gnu_symbols;  // else the last one's
  s.value = largest ? std::max(s.value, storage.size) : storage.size;
  s.kind = SymbolKind::common;
  s.flex = 1;
  s.loc = a.loc_of(a.statement_start);
  s.flags |= symbol_declared;
  if (s.binding == Binding::unset) s.binding = Binding::global;
  if (a.coff.unique_name.empty() && !s.text().starts_with('.')) a.coff.unique_name = s.text();
  const bool told =
      a.profile.coff_gnu_symbols ? storage.has_align && storage.log2_align : storage.log2_align && !a.options.msvc;
  if (told) note_alignment(a, storage);
}

/// .lcomm name, size [, alignment]
void directive_coff_lcomm(Assembler& a, u32) {
  Storage storage;
  if (!parse_storage(a, storage, false)) return;
  if (!storage.has_align && a.profile.coff_gnu_symbols) {
    storage.log2_align = storage.size >= 8 ? 3 : storage.size >= 4 ? 2 : storage.size >= 2 ? 1 : 0;
  }
  Subsection* const before = a.current;
  Subsection* const before_previous = a.previous;
  Section& bss = a.section_named(".bss");
  a.switch_to(a.sections.subsection(bss, a.profile.local_common_subsection));
  a.emit_align(storage.log2_align, 1, 0, 0, a.here());
  a.define_label(storage.id, a.loc_of(a.statement_start));
  if (a.symbols[storage.id].other != IMAGE_SYM_CLASS_EXTERNAL && a.profile.coff_gnu_symbols) {
    a.symbols[storage.id].other = IMAGE_SYM_CLASS_STATIC;
  }
  a.emit_fill({.constant = i64(storage.size)}, 1, 0, a.here());
  a.current = before;
  a.previous = before_previous;
}

/// .ident "string": GNU as puts it into read-only data.
void directive_coff_ident(Assembler& a, u32) {
  std::string_view text;
  std::string storage;
  if (!parse_string(a, text, storage)) return;
  if (!a.profile.coff_gnu_symbols) return;
  Subsection* const before = a.current;
  a.current =
      &a.sections.sub(coff_section(a, ".rdata$zzz", coff_default_characteristics(a, ".rdata$zzz")).default_subsection);
  a.emit_bytes(text.data(), text.size());
  a.emit_int(0, 1);
  a.current = before;
}

void directive_coff_addrsig_sym(Assembler& a, u32) {
  Name name;
  if (parse_name(a, name, "a symbol name")) a.coff.address_significant.push_back(name);
}

/// What an object for Windows has no place for. Configure scripts try these to learn what there is.
void directive_of_elf(Assembler& a, u32) {
  a.error(a.statement_start, "this directive is for ELF, an object for Windows has nothing like it");
}

/// .cg_profile from, to, count
void directive_coff_cg_profile(Assembler& a, u32) {
  CoffState::Call call{.loc = a.loc_of(a.statement_start)};
  i64 count;
  if (!parse_name(a, call.from, "a symbol name") || !expect_comma(a, "the caller")) return;
  if (!parse_name(a, call.to, "a symbol name") || !expect_comma(a, "the callee")) return;
  if (!a.absolute(count, "the count")) return;
  call.count = u64(count);
  a.coff.calls.push_back(call);
}

const Directive* find_coff_directive(const Name& name) {
  static constexpr DirectiveTable<std::size(coff_directives) + std::size(seh_directives) +
                                  std::size(codeview_directives)>
      table{coff_directives, seh_directives, codeview_directives};
  return table.find(name);
}

}  // namespace xas
