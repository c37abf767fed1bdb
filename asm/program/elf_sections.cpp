// SPDX-License-Identifier: Apache-2.0
// Sections of ELF (elf_sections.h).
//
// What is strange: names have default types and flags, which both reference assemblers add to the flags that are
// written, and two sections may have one name if their group, linked section or unique number differs.
#include "asm/program/elf_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "asm/program/streamer.h"
#include "objwriter/coff_constants.h"

namespace xas {

using namespace elf;

std::string wrong_unique_number(const Program& program, i64 number) {
  const i64 most = program.profile.max_unique_section;
  return number >= 0 && number <= most ? "" : fmt::format("the unique number must be between 0 and {}", most);
}

std::string wrong_subsection_number(const Program& program, i64 number) {
  if (program.profile.subsection_numbers_wrap || (number >= 0 && number <= 0x7fffffff)) return {};
  return fmt::format("subsection number {} is not between 0 and 2147483647", number);
}

namespace {

constexpr u64 os_and_processor = 0xFFF00000;  // SHF_MASKOS, SHF_MASKPROC

struct NamedDefault {
  std::string_view prefix;
  /// dotted: the prefix itself, or followed by a dot; if_rel: prefixed on machines whose relocations have no addends,
  /// dotted on others; with_str: ends in "str"
  enum Match : u8 { exact, dotted, prefixed, if_rel, with_str } match;
  u32 type;
  u64 flags;
  u8 reader = both;
  u16 machine = EM_NONE;  ///< the only one, if it is not EM_NONE
  static constexpr u8 gnu = 1, llvm = 2, both = 3;
};

constexpr std::string_view object_only = ".gnu_object_only";
constexpr std::string_view stack_mark = ".note.GNU-stack";
constexpr u64 large_data = SHF_ALLOC | SHF_WRITE | SHF_X86_64_LARGE;

// The first match counts. gABI "Special Sections", and what the two assemblers add to them.
constexpr NamedDefault named_defaults[] = {
    {stack_mark, NamedDefault::exact, SHT_PROGBITS, 0, NamedDefault::gnu},
    {".text", NamedDefault::dotted, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR},
    {".data1", NamedDefault::exact, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE},
    {".data", NamedDefault::dotted, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE},
    {".bss", NamedDefault::dotted, SHT_NOBITS, SHF_ALLOC | SHF_WRITE},
    {".rodata1", NamedDefault::exact, SHT_PROGBITS, SHF_ALLOC},
    {".rodata", NamedDefault::dotted, SHT_PROGBITS, SHF_ALLOC},
    {".tdata", NamedDefault::dotted, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE | SHF_TLS},
    {".tbss", NamedDefault::dotted, SHT_NOBITS, SHF_ALLOC | SHF_WRITE | SHF_TLS},
    {".init_array", NamedDefault::dotted, SHT_INIT_ARRAY, SHF_ALLOC | SHF_WRITE},
    {".fini_array", NamedDefault::dotted, SHT_FINI_ARRAY, SHF_ALLOC | SHF_WRITE},
    {".preinit_array", NamedDefault::dotted, SHT_PREINIT_ARRAY, SHF_ALLOC | SHF_WRITE},
    {".init", NamedDefault::exact, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR},
    {".fini", NamedDefault::exact, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR},
    {".note", NamedDefault::prefixed, SHT_NOTE, 0},
    {".gnu.linkonce.b", NamedDefault::dotted, SHT_NOBITS, SHF_ALLOC | SHF_WRITE, NamedDefault::gnu},
    {".gnu.linkonce.n", NamedDefault::dotted, SHT_NOBITS, SHF_ALLOC | SHF_WRITE, NamedDefault::gnu},
    {".gnu.linkonce.p", NamedDefault::dotted, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, NamedDefault::gnu},
    {".gnu.lto_", NamedDefault::prefixed, SHT_PROGBITS, SHF_EXCLUDE, NamedDefault::gnu},
    {object_only, NamedDefault::exact, SHT_GNU_OBJECT_ONLY, SHF_EXCLUDE, NamedDefault::gnu},
    {".noinit", NamedDefault::dotted, SHT_NOBITS, SHF_ALLOC | SHF_WRITE, NamedDefault::gnu},
    {".persistent.bss", NamedDefault::exact, SHT_NOBITS, SHF_ALLOC | SHF_WRITE, NamedDefault::gnu},
    {".persistent", NamedDefault::dotted, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, NamedDefault::gnu},
    {".stab", NamedDefault::with_str, SHT_STRTAB, 0, NamedDefault::gnu},
    {".got", NamedDefault::exact, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, NamedDefault::gnu},
    {".plt", NamedDefault::exact, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, NamedDefault::gnu},
    {".dynamic", NamedDefault::exact, SHT_DYNAMIC, SHF_ALLOC, NamedDefault::gnu},
    {".dynsym", NamedDefault::exact, SHT_DYNSYM, SHF_ALLOC, NamedDefault::gnu},
    {".dynstr", NamedDefault::exact, SHT_STRTAB, SHF_ALLOC, NamedDefault::gnu},
    {".hash", NamedDefault::exact, SHT_HASH, SHF_ALLOC, NamedDefault::gnu},
    {".gnu.hash", NamedDefault::exact, SHT_GNU_HASH, SHF_ALLOC, NamedDefault::gnu},
    {".gnu.version", NamedDefault::exact, SHT_GNU_versym, 0, NamedDefault::gnu},
    {".gnu.version_d", NamedDefault::exact, SHT_GNU_verdef, 0, NamedDefault::gnu},
    {".gnu.version_r", NamedDefault::exact, SHT_GNU_verneed, 0, NamedDefault::gnu},
    {".gnu.liblist", NamedDefault::exact, SHT_GNU_LIBLIST, SHF_ALLOC, NamedDefault::gnu},
    {".gnu.conflict", NamedDefault::exact, SHT_RELA, SHF_ALLOC, NamedDefault::gnu},
    {".strtab", NamedDefault::exact, SHT_STRTAB, 0, NamedDefault::gnu},
    {".shstrtab", NamedDefault::exact, SHT_STRTAB, 0, NamedDefault::gnu},
    {".symtab", NamedDefault::exact, SHT_SYMTAB, 0, NamedDefault::gnu},
    {".relr.dyn", NamedDefault::exact, SHT_RELR, SHF_ALLOC, NamedDefault::gnu},
    {".rela", NamedDefault::prefixed, SHT_RELA, 0, NamedDefault::gnu},
    {".rel", NamedDefault::if_rel, SHT_REL, 0, NamedDefault::gnu},
    {".lbss", NamedDefault::dotted, SHT_NOBITS, large_data, NamedDefault::gnu, EM_X86_64},
    {".ldata", NamedDefault::dotted, SHT_PROGBITS, large_data, NamedDefault::gnu, EM_X86_64},
    {".lrodata", NamedDefault::dotted, SHT_PROGBITS, SHF_ALLOC | SHF_X86_64_LARGE, NamedDefault::gnu, EM_X86_64},
    {".gnu.linkonce.lb", NamedDefault::dotted, SHT_NOBITS, large_data, NamedDefault::gnu, EM_X86_64},
    {".gnu.linkonce.lr", NamedDefault::dotted, SHT_PROGBITS, SHF_ALLOC | SHF_X86_64_LARGE, NamedDefault::gnu,
     EM_X86_64},
    {".gnu.linkonce.lt", NamedDefault::dotted, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR | SHF_X86_64_LARGE,
     NamedDefault::gnu, EM_X86_64},
    {".ARM.exidx", NamedDefault::prefixed, SHT_ARM_EXIDX, SHF_LINK_ORDER, NamedDefault::gnu, EM_ARM},
    {".gnu.linkonce.armexidx.", NamedDefault::prefixed, SHT_ARM_EXIDX, SHF_LINK_ORDER, NamedDefault::gnu, EM_ARM},
    {".ARM.attributes", NamedDefault::exact, SHT_ARM_ATTRIBUTES, 0, NamedDefault::gnu, EM_ARM},
};

bool is_array(u32 type) {
  return type == SHT_INIT_ARRAY || type == SHT_FINI_ARRAY || type == SHT_PREINIT_ARRAY;
}

/// A section that llvm-mc has from the start, to be opened by its name alone, or with just these flags.
struct PredefinedSection {
  std::string_view name;
  u32 type = SHT_PROGBITS;
  u64 flags = 0;
  u32 entsize = 0;
};

// MCObjectFileInfo::initELFMCObjectFileInfo.
constexpr PredefinedSection predefined_sections[] = {
    {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR},
    {".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE},
    {".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE},
    {".rodata", SHT_PROGBITS, SHF_ALLOC},
    {".tdata", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE | SHF_TLS},
    {".tbss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE | SHF_TLS},
    {".data.rel.ro", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE},
    {".rodata.cst4", SHT_PROGBITS, SHF_ALLOC | SHF_MERGE, 4},
    {".rodata.cst8", SHT_PROGBITS, SHF_ALLOC | SHF_MERGE, 8},
    {".rodata.cst16", SHT_PROGBITS, SHF_ALLOC | SHF_MERGE, 16},
    {".rodata.cst32", SHT_PROGBITS, SHF_ALLOC | SHF_MERGE, 32},
    {".eh_frame", SHT_PROGBITS, SHF_ALLOC},
    {".sframe", SHT_GNU_SFRAME, SHF_ALLOC},
    {".gcc_except_table", SHT_PROGBITS, SHF_ALLOC},
    {".llvm_stackmaps", SHT_PROGBITS, SHF_ALLOC},
    {".llvm_faultmaps", SHT_PROGBITS, SHF_ALLOC},
    {".debug_str", SHT_PROGBITS, SHF_MERGE | SHF_STRINGS, 1},
    {".debug_line_str", SHT_PROGBITS, SHF_MERGE | SHF_STRINGS, 1},
    {".debug_str.dwo", SHT_PROGBITS, SHF_MERGE | SHF_STRINGS | SHF_EXCLUDE, 1},
    {".debug_abbrev.dwo", SHT_PROGBITS, SHF_EXCLUDE},
    {".debug_info.dwo", SHT_PROGBITS, SHF_EXCLUDE},
    {".debug_line.dwo", SHT_PROGBITS, SHF_EXCLUDE},
    {".debug_loc.dwo", SHT_PROGBITS, SHF_EXCLUDE},
    {".debug_loclists.dwo", SHT_PROGBITS, SHF_EXCLUDE},
    {".debug_macinfo.dwo", SHT_PROGBITS, SHF_EXCLUDE},
    {".debug_macro.dwo", SHT_PROGBITS, SHF_EXCLUDE},
    {".debug_rnglists.dwo", SHT_PROGBITS, SHF_EXCLUDE},
    {".debug_str_offsets.dwo", SHT_PROGBITS, SHF_EXCLUDE},
    {".debug_types.dwo", SHT_PROGBITS, SHF_EXCLUDE},
    {".debug_abbrev"},
    {".debug_addr"},
    {".debug_aranges"},
    {".debug_cu_index"},
    {".debug_frame"},
    {".debug_gnu_pubnames"},
    {".debug_gnu_pubtypes"},
    {".debug_info"},
    {".debug_line"},
    {".debug_loc"},
    {".debug_loclists"},
    {".debug_macinfo"},
    {".debug_macro"},
    {".debug_names"},
    {".debug_pubnames"},
    {".debug_pubtypes"},
    {".debug_ranges"},
    {".debug_rnglists"},
    {".debug_str_offsets"},
    {".debug_tu_index"},
    {".apple_names"},
    {".apple_namespaces"},
    {".apple_objc"},
    {".apple_types"},
    {".llvm_stats"},
    {".pseudo_probe"},
    {".pseudo_probe_desc"},
    {".stack_sizes"},
};

bool matches(const NamedDefault& d, std::string_view name, bool rela) {
  if (!name.starts_with(d.prefix)) return false;
  if (d.match == NamedDefault::with_str) return name.ends_with("str");
  if (name.size() == d.prefix.size() || d.match == NamedDefault::prefixed) return true;
  if (d.match == NamedDefault::if_rel && !rela) return true;
  return d.match != NamedDefault::exact && name[d.prefix.size()] == '.';
}

const NamedDefault* default_for(const Program& program, std::string_view name) {
  if (name == object_only && !program.profile.object_only_section) return nullptr;
  const u8 reader = program.profile.bfd_section_names ? NamedDefault::gnu : NamedDefault::llvm;
  for (const NamedDefault& d : named_defaults) {
    if (!(d.reader & reader) || !matches(d, name, program.info.elf.rela)) continue;
    if (d.machine != EM_NONE && d.machine != program.info.elf.machine) continue;
    if (d.prefix == stack_mark && program.profile.stack_mark_is_note) continue;  // a .note as any other
    return &d;
  }
  return nullptr;
}

/// BFD writes the type that it knows for arrays and for names of a machine, whatever the text says.
bool type_is_forced(const Program& program, const NamedDefault& d) {
  if (!program.profile.bfd_section_names) return false;
  const bool of_machine = d.machine == EM_ARM || (d.machine == EM_X86_64 && program.info.elf.is_64);
  return of_machine || is_array(d.type);
}

/// What else tells sections of one name apart: GNU as keeps those with and without R apart, and those of other info.
u64 variant(const Program& program, u64 flags, u32 info) {
  return program.profile.section_variants ? (flags & SHF_GNU_RETAIN) | info : 0;
}

u64 section_key(const Program& program, const SectionRequest& r) {
  u64 h = hash_step(hash_name(r.name), variant(program, r.flags, r.info));
  h = hash_step(hash_step(h, r.group), r.unique);
  return hash_step(h, u64(r.link_order) << 1 | r.link_order_zero);
}

Section* find_section(Program& program, const SectionRequest& r, u64 key) {
  const u32 found = program.section_index.find(key, [&](u32 number) {
    const Section& s = program.sections[number];
    return s.name == r.name && s.group == r.group && s.unique == r.unique && s.link_order == r.link_order &&
           s.link_order_zero == r.link_order_zero &&
           variant(program, s.flags, s.info) == variant(program, r.flags, r.info);
  });
  return found == ~u32(0) ? nullptr : &program.sections[found];
}

/// The size of a section's entries: what is `written`, unless BFD knows better by the type.
u64 entry_size(const Program& program, u32 type, u64 written) {
  if (!program.profile.bfd_section_names) return written;
  const u64 address = program.info.elf.is_64 ? 8 : 4;
  if (type == SHT_REL && !program.info.elf.rela) return 2 * address;
  if (type == SHT_RELA && program.info.elf.rela) return 3 * address;
  if (type == SHT_DYNAMIC) return 2 * address;
  if (type == SHT_DYNSYM) return program.info.elf.is_64 ? 24 : 16;
  if (type == SHT_HASH) return 4;
  if (type == SHT_GNU_HASH) return program.info.elf.is_64 ? 0 : 4;
  if (type == SHT_GNU_versym) return 2;
  return is_array(type) && !written ? program.info.address_size : written;
}

Section& make_section(Program& program, const SectionRequest& r, u64 key) {
  const std::string_view kept = program.symbols.keep(r.name);
  const SymbolId id =
      program.symbols.find(Name{kept.data(), u32(kept.size()), hash_name_padded(kept.data(), kept.size())});
  const Symbol* named = id == no_symbol ? nullptr : &program.symbols[id];
  const auto keeps_name = [&](const Symbol& s) {
    if (!program.profile.sections_take_names) return s.kind == SymbolKind::label;
    return s.is_defined() && !s.has(symbol_redefinable);
  };
  if (named && keeps_name(*named) && !named->has(symbol_section)) {
    program.diags.error(program.sources.statement_loc(), fmt::format("section {} has the name of a symbol", r.name));
    program.diags.note(named->loc, "which is defined here");
  }
  Section& s = program.sections.create(kept);
  const NamedDefault* d = default_for(program, r.name);
  s.type = r.type;
  s.flags = r.flags;
  if (d) {
    if (s.type == SHT_NULL) s.type = d->type;
    // In GNU as what is written replaces the defaults, if it has what they have not; .rodata.str may hold strings.
    const bool suffixed = d->match == NamedDefault::dotted && s.name.size() > d->prefix.size();
    const u64 neutral = os_and_processor | SHF_LINK_ORDER | (suffixed ? SHF_MERGE | SHF_STRINGS : 0);
    const bool overrides = program.profile.written_flags_replace && (r.flags & ~neutral & ~d->flags) != 0;
    s.flags |= overrides ? d->flags & SHF_LINK_ORDER : d->flags;
    if (type_is_forced(program, *d)) s.type = d->type;
  }
  if (s.type == SHT_NULL) s.type = SHT_PROGBITS;
  s.entsize = entry_size(program, s.type, r.entsize);
  if (s.type == SHT_REL && r.name == ".reloc" && program.info.elf.machine == EM_386) s.type = SHT_PROGBITS;  // EFI's
  s.group = r.group;
  s.comdat = r.comdat;
  s.link_order = r.link_order;
  s.link_order_zero = r.link_order_zero;
  s.unique = r.unique;
  s.info = r.info;
  s.loc = r.loc;
  s.nobits = s.type == SHT_NOBITS;
  program.sections.sub(s.default_subsection).nobits = s.nobits;
  if (program.maps_implicitly()) s.mapping = implicit_mapping(s);
  program.section_index.add(key, program.sections.index_of(s));
  if (!program.info.elf.all_section_symbols) {
    program.section_symbol(s);
  } else if (!r.implied) {
    program.list_section(s);
  }
  return s;
}

/// The section that llvm-mc has of this name, group and number, as it stands before anything is said of it; null: none.
Section* make_predefined(Program& program, const SectionRequest& r, u64 key) {
  if (r.group != no_symbol || r.link_order != no_symbol || r.link_order_zero || r.unique != ~u64(0)) return nullptr;
  const auto* known = std::find_if(std::begin(predefined_sections), std::end(predefined_sections),
                                   [&](const PredefinedSection& p) { return p.name == r.name; });
  if (known == std::end(predefined_sections)) return nullptr;
  SectionRequest as_known{.name = r.name, .flags = known->flags, .type = known->type, .implied = r.implied};
  as_known.entsize = known->entsize;
  as_known.loc = r.loc;
  if (r.name == ".eh_frame") {
    if (program.info.elf.machine == EM_X86_64) as_known.type = SHT_X86_64_UNWIND;
    else if (program.options.os_abi == ELFOSABI_SOLARIS) as_known.flags |= SHF_WRITE;
  }
  return &make_section(program, as_known, key);
}

/// Names to which GNU as gives a type and flags of its own, whatever is said of them.
bool is_known_name(const Program& program, std::string_view name) {
  constexpr std::string_view plain[] = {".comment",    ".debug",      ".debug_abbrev", ".debug_aranges",
                                        ".debug_info", ".debug_line", ".interp",       ".line"};
  return default_for(program, name) || std::find(std::begin(plain), std::end(plain), name) != std::end(plain);
}

/// What is said of a section that exists has to be what was said before. Of names that it knows, GNU as ignores the
/// rest.
void check_reopened(Program& program, const SectionRequest& r, const Section& s) {
  if (!r.has_flags) return;
  const bool keeps = program.profile.known_sections_keep_flags;
  constexpr u64 compared = SHF_WRITE | SHF_ALLOC | SHF_EXECINSTR | SHF_MERGE | SHF_STRINGS | SHF_TLS | SHF_EXCLUDE;
  const NamedDefault* d = default_for(program, r.name);
  const u64 wanted = keeps ? r.flags & compared : r.flags | (d ? d->flags : 0);
  const u64 had = keeps ? s.flags & compared : s.flags;
  const bool silent = r.flags == 0 && (keeps || (r.type == SHT_NULL && !r.entsize));
  const bool same_type =
      r.type == SHT_NULL || r.type == s.type || (s.type == SHT_X86_64_UNWIND && r.type == SHT_PROGBITS);
  std::string problem;
  bool ignored = keeps && is_known_name(program, r.name);
  if (r.entsize != s.entsize && (keeps ? r.entsize != 0 : !silent && wanted == had)) {
    problem = fmt::format("changed entry size for {}: {}, was {}", s.name, r.entsize, s.entsize);
    ignored = false;
  } else if (wanted != had && !silent) {
    problem = fmt::format("changed section flags for {}: 0x{:x}, were 0x{:x}", s.name, wanted, had);
  } else if (!same_type) {
    problem = fmt::format("changed section type for {}: 0x{:x}, was 0x{:x}", s.name, r.type, s.type);
  }
  if (problem.empty()) return;
  if (ignored) return program.diags.warning(program.sources.statement_loc(), problem + "; ignored");
  program.diags.error(program.sources.statement_loc(), std::move(problem));
}

}  // namespace

SymbolId symbol_of_text(Program& program, const Name& name) {
  if (!program.profile.signatures_are_text) return program.symbols.intern(name);
  if (const auto known = program.records.texts.find(name.text()); known != program.records.texts.end())
    return known->second;
  SymbolId id = program.symbols.find(name);
  if (id != no_symbol) return id;
  id = program.symbols.make_anonymous();
  program.symbols[id].name = name.p;
  program.symbols[id].name_size = name.size;
  program.records.texts.emplace(name.text(), id);
  return id;
}

Section& elf_section(Program& program, SectionRequest& r) {
  if (r.has_flags && r.flags & SHF_STRINGS && !r.entsize) r.entsize = program.profile.string_entry_size;
  if (r.group_of && r.group_of->group != no_symbol) {
    r.group = r.group_of->group;
    r.comdat = r.group_of->comdat;
    r.flags |= SHF_GROUP;
  }
  const u64 key = section_key(program, r);
  Section* known = find_section(program, r, key);
  if (!known && program.profile.predefines_sections) known = make_predefined(program, r, key);
  if (known) {
    check_reopened(program, r, *known);
    if (program.profile.section_variants && r.has_flags) known->flags |= r.flags & os_and_processor;
    return *known;
  }
  return make_section(program, r, key);
}

Section& Program::section_named(std::string_view name) {
  if (is_coff) return coff_section(*this, name, coff_default_characteristics(*this, name));
  SectionRequest r{.name = name, .implied = true};
  r.loc = sources.statement_loc();
  if (name == ".comment") {
    r.flags = SHF_MERGE | SHF_STRINGS;
    r.entsize = 1;
    r.has_flags = true;
  }
  return elf_section(*this, r);
}

Section& section_about(Program& program, std::string_view name, Section& code) {
  if (program.is_coff) {
    constexpr u32 flags =
        coff::IMAGE_SCN_CNT_INITIALIZED_DATA | coff::IMAGE_SCN_MEM_READ | coff::IMAGE_SCN_MEM_WRITE;
    const bool comdat = code.selection != 0;
    Section& s = comdat ? coff_section(program, name, flags | coff::IMAGE_SCN_LNK_COMDAT,
                                       coff::IMAGE_COMDAT_SELECT_ASSOCIATIVE, code.group)
                        : coff_section(program, name, flags);
    if (program.sections.sub(s.default_subsection).size == 0) s.log2_align = 0;  // no gaps between those of two objects
    return s;
  }
  SectionRequest r{
      .name = name, .flags = SHF_WRITE | SHF_ALLOC | SHF_LINK_ORDER, .type = SHT_PROGBITS, .has_flags = true};
  if (code.group != no_symbol) r.flags |= SHF_GROUP;
  r.group = code.group;
  r.comdat = code.comdat;
  r.link_order = program.section_symbol(code);
  r.unique = code.unique;
  r.loc = program.sources.statement_loc();
  return elf_section(program, r);
}

void make_initial_sections(Streamer& out) {
  out.program.text = &out.program.section_named(".text");
  if (out.program.info.elf.all_section_symbols) out.program.list_section(*out.program.text);
  const u32 align = out.program.options.no_initial_section ? 1 : out.program.profile.text_align;
  out.program.text->log2_align = std::max(u8(std::countr_zero(align)), out.program.info.code.text_log2);
  if (out.program.profile.default_data_bss) {
    out.program.data = &out.program.section_named(".data");
    out.program.bss = &out.program.section_named(".bss");
    for (Section* s : {out.program.data, out.program.bss})
      if (out.program.info.elf.all_section_symbols) out.program.list_section(*s);
    if (out.program.is_coff) out.program.data->log2_align = out.program.bss->log2_align = out.program.text->log2_align;
  }
  out.current = &out.program.sections.sub(out.program.text->default_subsection);
}

void check_linked_sections(Program& program) {
  for (u32 i = 0; i < program.sections.size(); ++i) {
    const Section& section = program.sections[i];
    if (section.link_order == no_symbol) continue;
    if (program.resolve(section.link_order).kind == Resolved::place) continue;
    program.diags.error(section.loc, fmt::format("section {} is linked to '{}', which is not in a section",
                                                 section.name, program.symbols[section.link_order].text()));
  }
}

Subsection& absolute_space(Program& program) {
  if (!program.absolute_space) {
    Section& s = program.sections.create(program.symbols.keep("*ABS*"));
    s.nobits = s.absolute = true;
    program.absolute_space = &program.sections.sub(s.default_subsection);
    program.absolute_space->nobits = true;
  }
  return *program.absolute_space;
}

void Streamer::begin_without_section() {
  watches_labels = true;
  switch_to(xas::absolute_space(program));
  previous = current;
  needs_section = true;
}

void begin_absolute_space(Streamer& out, u64 offset) {
  out.watches_labels = true;
  Subsection& space = absolute_space(out.program);
  out.switch_to(space);
  if (out.current != &space) return;  // a stream is open
  out.current->size = offset;
  out.current->fragments.clear();
}

void choose_standard_section(Streamer& out, std::string_view name, i32 subsection) {
  Program& program = out.program;
  Section& s = program.section_named(name);
  if (program.info.elf.all_section_symbols) program.list_section(s);
  if (name == ".data" && !program.data) program.data = &s;
  if (name == ".bss" && !program.bss) program.bss = &s;
  out.switch_to(program.sections.subsection(s, subsection));
}

void attach_to_group(Streamer& out, std::string_view name) {
  Program& program = out.program;
  Section& s = out.current_section();
  if (s.group != no_symbol) {
    return program.diags.warning(
        program.sources.statement_loc(),
        fmt::format("section {} is in group {} already", s.name, program.symbols[s.group].text()));
  }
  s.group = symbol_of_text(program, Name{program.symbols.keep(name).data(), u32(name.size()), hash_name(name)});
  s.comdat = false;
  s.flags |= SHF_GROUP;
  for (u32& i = program.records.searched_for_groups; i < program.sections.size(); ++i)
    if (program.sections[i].comdat) program.records.comdat_groups.insert(program.sections[i].group);
  s.comdat = program.records.comdat_groups.contains(s.group);
}

}  // namespace xas
