// SPDX-License-Identifier: Apache-2.0
// Verbs of include/xas/stream.h about symbols and sections: see stream_verbs.h.
#include <fmt/format.h>

#include "asm/directives/sections.h"
#include "asm/program/coff_verbs.h"
#include "asm/program/elf_sections.h"
#include "asm/program/symbol_verbs.h"
#include "asm/unwind/win_unwind.h"
#include "asm/stream_verbs.h"
#include "objwriter/coff_constants.h"

namespace xas {

using namespace elf;

// Symbols

/// The symbol where a statement names it, and does not refer to it.
SymbolId StreamVerbs::named(xas_symbol s) {
  const SymbolId id = id_of(s);
  Symbol& symbol = program().symbols[id];
  if (symbol.loc == 0) symbol.loc = here();
  return id;
}

void StreamVerbs::declare_in_coff(xas_symbol s, xas_attribute attribute) {
  constexpr u16 function_type = 0x20;
  switch (attribute) {
    case XAS_GLOBAL: return make_global(reader_.out, named(s));
    case XAS_WEAK: return make_weak(reader_.out, named(s), false);
    case XAS_FUNCTION: {
      const std::string_view name = program().symbols[id_of(s)].text();
      begin_definition(reader_.out, {name.data(), u32(name.size()), hash_name(name)});
      define_type(reader_.out, function_type);
      return end_definition(reader_.out);
    }
    default: reader_.error("COFF has no such attribute; XAS_GLOBAL, XAS_WEAK and XAS_FUNCTION are its own");
  }
}

void StreamVerbs::declare(xas_symbol s, xas_attribute attribute) {
  Streamer& out = reader_.out;
  if (program().is_coff) return declare_in_coff(s, attribute);
  const SymbolId id = named(s);
  if (attribute >= XAS_FUNCTION) program().note_temporary(id);
  switch (attribute) {
    case XAS_GLOBAL: set_binding(out, id, Binding::global); break;
    case XAS_WEAK: set_binding(out, id, Binding::weak); break;
    case XAS_LOCAL: set_binding(out, id, Binding::local); break;
    case XAS_HIDDEN: set_visibility(out, id, STV_HIDDEN); break;
    case XAS_INTERNAL: set_visibility(out, id, STV_INTERNAL); break;
    case XAS_PROTECTED: set_visibility(out, id, STV_PROTECTED); break;
    case XAS_FUNCTION: set_type(out, id, STT_FUNC, false); break;
    case XAS_OBJECT: set_type(out, id, STT_OBJECT, false); break;
    case XAS_TLS_OBJECT: set_type(out, id, STT_TLS, false); break;
    case XAS_NO_TYPE: set_type(out, id, STT_NOTYPE, false); break;
    case XAS_INDIRECT_FUNCTION: set_type(out, id, STT_GNU_IFUNC, false); break;
    case XAS_UNIQUE_OBJECT: set_type(out, id, STT_OBJECT, true); break;
  }
}

void StreamVerbs::assign(xas_symbol s, const xas_value& v, bool again) {
  const SymbolId id = named(s);
  if (program().symbols[id].has(symbol_lto_discarded)) return;
  const SymbolId first = program().symbols.size();
  const Value to = value(v);
  assign_after_value(reader_.out, id, to, first, here(), again);
}

void StreamVerbs::size(xas_symbol s, const xas_value& v) {
  Streamer& out = reader_.out;
  if (program().is_coff) return reader_.error("COFF has no sizes of symbols");
  const bool is_reference = program().profile.size_is_reference;
  const SymbolId first = program().symbols.size();
  const SymbolId id = named(s);
  if (!is_reference) {
    out.referenced_quietly(first);
    if (id >= first && has_name(s)) handle(s).id = no_symbol;  // it may get another one when it is used
  }
  if (out.reserved.watching) [[unlikely]]
    out.reserved.close_shadow(out, "'.size'", here());
  const u16 saved = reader_.reference_flag;
  if (!is_reference) reader_.reference_flag = 0;
  const Streamer::PaddingWatch watch(reader_.out);
  const Value size = quiet_value(v);
  reader_.reference_flag = saved;
  out.referenced_quietly(first);
  set_size(out, id, size, here());
}

void StreamVerbs::common(xas_symbol s, u64 size, unsigned log2_align) {
  const unsigned largest = largest_common_log2_align(program());
  if (log2_align > largest)
    return reader_.error(beyond_alignment(log2_align, largest));
  if (program().is_coff)
    emit_coff_common(reader_.out, {named(s), size, u8(log2_align), true});
  else
    emit_common(reader_.out, {.id = named(s), .size = size, .align = u64(1) << log2_align});
}

// Sections

void StreamVerbs::open_coff_section(const xas_section_request& r) {
  CoffSectionRequest wanted{.name = {r.name, r.name_size}, .has_flags = r.flags != nullptr, .unique = r.unique};
  const char* const where = program().sources.statement;
  if (r.type || r.entry_size || r.linked_to || r.subsection)
    return reader_.error("sections of COFF have no type, entries, links and subsections");
  if (r.flags && !read_coff_section_flags(reader_.out, wanted.flags, r.flags, where)) return;
  if (r.selection > coff::IMAGE_COMDAT_SELECT_NEWEST || (r.selection == 0) != (r.group == 0))
    return reader_.error(fmt::format("{} is no selection of a COMDAT, which is from 1 to 7", r.selection));
  if (r.group) {
    wanted.selection = u8(r.selection);
    wanted.comdat = named(r.group);
    if (!take_comdat_symbol(reader_.out, wanted, where)) return;
  }
  Section& s = xas::open_coff_section(reader_, wanted);
  reader_.out.switch_to(unwind_data_or_start(program(), s));
}

bool StreamVerbs::open_section(const xas_section_request& r) {
  const u32 errors = program().diags.errors();
  if (std::string_view(r.name, r.name_size).find('\0') != std::string_view::npos)
    reader_.error("a section's name has a zero byte in it");
  else
    program().is_coff ? open_coff_section(r) : open_elf_section(r);
  return program().diags.errors() == errors;
}

void StreamVerbs::open_elf_section(const xas_section_request& r) {
  SectionRequest wanted{.name = {r.name, r.name_size}, .type = r.type, .has_flags = r.flags != nullptr, .loc = here()};
  const auto unlike = [&](u64 flag, bool said) { return ((wanted.flags & flag) != 0) != said; };
  if (r.flags && !read_section_flags(reader_, wanted, r.flags, program().sources.statement)) return;
  if (r.group) wanted.flags |= SHF_GROUP;
  if (r.linked_to) wanted.flags |= SHF_LINK_ORDER;
  if (!r.flags && (r.type || r.entry_size || r.group || r.linked_to || r.unique))
    return reader_.error("a section with a type, entries, a group, a link or a number needs flags");
  if (unlike(SHF_MERGE, r.entry_size != 0) && (!r.entry_size || unlike(SHF_STRINGS, true)))
    return reader_.error("flag M and the size of entries go together");
  if (r.selection > 1 || (r.selection && !r.group))
    return reader_.error(fmt::format("selection {}: in ELF, 1 is a group of which linkers keep one, 0 any other",
                                     r.selection));
  if (unlike(SHF_GROUP, r.group != 0)) return reader_.error("flag G needs a group");
  if (unlike(SHF_LINK_ORDER, r.linked_to != 0)) return reader_.error("flag o needs a symbol that it is linked to");
  if (r.unique)
    if (std::string problem = wrong_unique_number(program(), i64(r.unique) - 1); !problem.empty())
      return reader_.error(std::move(problem));
  if (std::string problem = wrong_subsection_number(program(), r.subsection); !problem.empty())
    return reader_.error(std::move(problem));
  wanted.entsize = r.entry_size;
  wanted.comdat = r.selection != 0;
  if (r.unique) wanted.unique = r.unique - 1;
  if (r.linked_to)
    wanted.link_order =
        has_name(r.linked_to) ? symbol_of_text(program(), handle(r.linked_to).name) : id_of(r.linked_to);
  if (r.group) join_group(reader_, wanted, handle(r.group).name);
  Section& s = elf_section(program(), wanted);
  reader_.out.switch_to(program().sections.subsection(s, r.subsection));
}

}  // namespace xas
