// SPDX-License-Identifier: Apache-2.0
// Directives that only COFF has, or that mean something else there: fields of four and two bytes for the linker (.rva,
// .secrel32, .secidx, .symidx), weak symbols, common storage. .def to .endef are in def.cpp.
#include <fmt/format.h>

#include <bit>

#include "asm/directives/coff.h"
#include "asm/directives/directive_table.h"
#include "asm/directives/directives.h"
#include "asm/directives/seh.h"
#include "asm/program/coff_verbs.h"
#include "asm/program/frame_text.h"
#include "asm/program/symbol_verbs.h"
#include "asm/read/parse.h"
#include "objwriter/coff_constants.h"
#include "targets/nearest_name.h"

namespace xas {

using namespace coff;

// Fields for the linker

namespace {

/// The symbol that a field begins with, if it is a number by now; else no_symbol.
SymbolId leading_absolute(Reader& reader) {
  if (!reader.program().chars.is(*reader.p, char_name_start)) return no_symbol;
  const SymbolId id = reader.program().symbols.find(scan_name(reader.program().chars, reader.p));
  return id != no_symbol && reader.program().symbols[id].kind == SymbolKind::absolute ? id : no_symbol;
}

}  // namespace

/// .rva, .secrel32, .secidx: expression [, expression]...; which one is the modifier that `kind` names
void directive_coff_field(Reader& reader, u32 kind) {
  constexpr std::string_view modifiers[] = {"IMGREL", "SECREL32", "SECIDX"};
  const unsigned size = kind == coff_field_section_index ? 2 : 4;
  do {
    skip_blanks(reader);
    const SourceLoc loc = reader.here();
    Value value;
    const bool names_absolute = kind == coff_field_rva && reader.program().profile.coff_imgrel_of_absolutes;
    const SymbolId absolute = names_absolute ? leading_absolute(reader) : no_symbol;
    if (!reader.expression_value(value)) return;
    reader.out.fold(value);
    if (value.is_constant() && absolute != no_symbol) {
      value.add = absolute;
      value.constant -= i64(reader.program().symbols[absolute].value);
    }
    if (value.is_constant() && kind == coff_field_rva)
      return reader.program().diags.error(loc, "the distance from the image's start is a symbol's, and not a number's");
    if (!value.is_constant()) value.modifier = reader.program().target.modifier(modifiers[kind]);
    if (!reader.out.frame_text || !shorten_advance(reader.out, value, size)) reader.out.emit_value(value, size, loc);
  } while (accept_comma(reader));
}

/// .symidx symbol: its index in the symbol table
void directive_symidx(Reader& reader, u32) {
  SymbolId id;
  if (!parse_symbol(reader, id, "a symbol name") || !reader.out.can_emit()) return;
  emit_symbol_index(reader.out, id, CoffSymbolIndex::index);
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
  add_safe_handler(reader.out, id);
}

// Symbols

/// .weak name [, name]...      .weak_anti_dep
void directive_coff_weak(Reader& reader, u32 anti_dependency) {
  if (at_end_of_statement(reader)) return;
  do {
    SymbolId id;
    if (!parse_symbol(reader, id, "a symbol name")) return;
    make_weak(reader.out, id, anti_dependency);
  } while (next_in_list(reader));
}

/// .globl name [, name]...
void directive_coff_global(Reader& reader, u32) {
  if (is_empty_list(reader)) return;
  do {
    SymbolId id;
    if (!parse_symbol(reader, id, "a symbol name")) return;
    make_global(reader.out, id);
  } while (next_in_list(reader));
}

namespace {

/// name [,] size [, alignment]; the alignment is a power of two, or (`log2`) its logarithm
bool parse_storage(Reader& reader, CoffStorage& s, bool log2) {
  if (!parse_symbol(reader, s.id, "a symbol name") || !parse_storage_size(reader, s.size)) return false;
  if (!accept_comma(reader)) return true;
  i64 number;
  const char* const where = reader.p;
  if (!reader.absolute(number, "the alignment")) return false;
  s.has_align = true;
  const i64 largest = log2 ? i64(largest_common_log2_align(reader.program())) : i64(largest_alignment);
  if (number < 0 || number > largest || (!log2 && (number & (number - 1)))) {
    const std::string limits = log2 ? fmt::format("between 0 and {} (it is a power of two)", largest)
                                    : fmt::format("a power of two up to {}", largest);
    reader.error(where, fmt::format("alignment {} is not {}", number, limits));
    return false;
  }
  s.log2_align = u8(log2 ? number : number ? std::countr_zero(u64(number)) : 0);
  return true;
}

}  // namespace

/// .comm name, size [, log2 of the alignment]
void directive_coff_comm(Reader& reader, u32) {
  CoffStorage storage;
  if (parse_storage(reader, storage, true)) emit_coff_common(reader.out, storage);
}

/// .lcomm name, size [, alignment]
void directive_coff_lcomm(Reader& reader, u32) {
  CoffStorage storage;
  if (parse_storage(reader, storage, false)) emit_coff_local_common(reader.out, storage, reader.here());
}

/// .ident "string": GNU as puts it into read-only data.
void directive_coff_ident(Reader& reader, u32) {
  std::string_view text;
  std::string storage;
  if (!parse_string(reader, text, storage)) return;
  emit_coff_ident(reader.out, text);
}

void directive_coff_addrsig_sym(Reader& reader, u32) {
  Name name;
  if (parse_name(reader, name, "a symbol name")) add_coff_address_significant(reader.out, name);
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
  add_coff_call(reader.out, call);
}

static constexpr std::span<const Directive> coff_topics[] = {coff_directives, seh_directives};

const Directive* find_coff_directive(const Name& name) {
  static constexpr DirectiveTable<count_directives(coff_topics)> table{coff_topics};
  return table.find(name);
}

void offer_coff_directives(NearestName& nearest) {
  for (const std::span<const Directive> topic : coff_topics)
    for (const Directive& d : topic) nearest.offer(d.name);
}

}  // namespace xas
