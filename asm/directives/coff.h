// SPDX-License-Identifier: Apache-2.0
// Directives of COFF. They are looked up before the common ones (directives.h), some of which they replace.
#pragma once

#include "asm/directives/directives.h"

namespace xas {

// coff/section.cpp
void directive_coff_section(Reader& reader, u32 push);
void directive_coff_standard_section(Reader& reader, u32 which);
void directive_linkonce(Reader& reader, u32);

// coff/def.cpp
void directive_def(Reader& reader, u32);
void directive_scl(Reader& reader, u32);
void directive_coff_type(Reader& reader, u32);
void directive_val(Reader& reader, u32);
void directive_definition_field(Reader& reader, u32 field);  // DefinitionField
void directive_endef(Reader& reader, u32);

// coff/symbol.cpp
void directive_coff_field(Reader& reader, u32 kind);  // CoffField
void directive_symidx(Reader& reader, u32);
void directive_section_place(Reader& reader, u32 offset);
void directive_safeseh(Reader& reader, u32);
void directive_coff_weak(Reader& reader, u32 anti_dependency);
void directive_coff_global(Reader& reader, u32);
void directive_coff_comm(Reader& reader, u32);
void directive_coff_lcomm(Reader& reader, u32);
void directive_coff_ident(Reader& reader, u32);
void directive_coff_addrsig_sym(Reader& reader, u32);
void directive_coff_cg_profile(Reader& reader, u32);
void directive_of_elf(Reader& reader, u32);

enum DefinitionField : u32 {
  definition_line,
  definition_ln,
  definition_size,
  definition_dimensions,
  definition_tag,
};
enum CoffField : u32 { coff_field_rva, coff_field_section_offset, coff_field_section_index };

inline constexpr Directive coff_directives[] = {
    {".section", directive_coff_section, 0},
    {".section.s", directive_coff_section, 0},
    {".sect", directive_coff_section, 0},
    {".sect.s", directive_coff_section, 0},
    {".pushsection", directive_coff_section, 1},
    {".text", directive_coff_standard_section, 0},
    {".data", directive_coff_standard_section, 1},
    {".bss", directive_coff_standard_section, 2},
    {".linkonce", directive_linkonce, 0},
    {".def", directive_def, 0},
    {".scl", directive_scl, 0},
    {".type", directive_coff_type, 0},
    {".val", directive_val, 0},
    {".line", directive_definition_field, definition_line},
    {".ln", directive_definition_field, definition_ln},
    {".size", directive_definition_field, definition_size},
    {".dim", directive_definition_field, definition_dimensions},
    {".tag", directive_definition_field, definition_tag},
    {".endef", directive_endef, 0},
    {".rva", directive_coff_field, coff_field_rva},
    {".secrel32", directive_coff_field, coff_field_section_offset},
    {".secidx", directive_coff_field, coff_field_section_index},
    {".symidx", directive_symidx, 0},
    {".secnum", directive_section_place, 0},
    {".secoffset", directive_section_place, 1},
    {".safeseh", directive_safeseh, 0},
    {".weak", directive_coff_weak, 0},
    {".weak_reference", directive_coff_weak, 0},
    {".weak_anti_dep", directive_coff_weak, 1},
    {".globl", directive_coff_global, 0},
    {".global", directive_coff_global, 0},
    {".comm", directive_coff_comm, 0},
    {".common", directive_coff_comm, 0},
    {".lcomm", directive_coff_lcomm, 0},
    {".ident", directive_coff_ident, 0},
    {".addrsig_sym", directive_coff_addrsig_sym, 0},
    {".cg_profile", directive_coff_cg_profile, 0},
    {".subsection", directive_of_elf, 0},
    {".previous", directive_of_elf, 0},
    {".local", directive_of_elf, 0},
    {".hidden", directive_of_elf, 0},
    {".internal", directive_of_elf, 0},
    {".protected", directive_of_elf, 0},
    {".symver", directive_of_elf, 0},
    {".tls_common", directive_of_elf, 0},
    {".vtable_entry", directive_of_elf, 0},
    {".vtable_inherit", directive_of_elf, 0},
    {".gnu_attribute", directive_of_elf, 0},
};

/// The directive of this name, if COFF has one of its own.
const Directive* find_coff_directive(const Name& name);
void offer_coff_directives(NearestName& nearest);

}  // namespace xas
