// SPDX-License-Identifier: Apache-2.0
// COFF conventions: the flags and alignment of sections, the sections that go with those of code, symbols that stand
// for places.
//
// What is strange: which .xdata. A linker that drops a COMDAT function must drop its tables, so these go into a section
// that is tied to the function's. GNU as names it after the function's (.xdata$name) and makes it a COMDAT of the same
// kind; LLVM does so for GNU environments, and has sections associated with the function's symbol for Microsoft's. LLVM
// gives every code section other than .text its own pair.
//
// Sources: Microsoft, "PE Format". The names that decide a section's flags and alignment in GNU as are BFD's.
#include "asm/program/coff.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "asm/program/streamer.h"
#include "objwriter/coff_constants.h"
#include "objwriter/elf_constants.h"

namespace xas {

using namespace coff;

namespace {

constexpr u32 read_only_data = IMAGE_SCN_CNT_INITIALIZED_DATA | IMAGE_SCN_MEM_READ;
constexpr u32 writable_data = read_only_data | IMAGE_SCN_MEM_WRITE;
constexpr u32 debug_data = read_only_data | IMAGE_SCN_MEM_DISCARDABLE;
constexpr u32 code = IMAGE_SCN_CNT_CODE | IMAGE_SCN_MEM_EXECUTE | IMAGE_SCN_MEM_READ;

struct PredefinedSection {
  std::string_view name;
  u32 characteristics;
  u16 machine = 0;  ///< the only one that has it; 0: all have
};

// MCObjectFileInfo::initCOFFMCObjectFileInfo.
constexpr PredefinedSection predefined_sections[] = {
    {".text", code},
    {".data", writable_data},
    {".bss", IMAGE_SCN_CNT_UNINITIALIZED_DATA | IMAGE_SCN_MEM_READ | IMAGE_SCN_MEM_WRITE},
    {".rdata", read_only_data},
    {".pdata", read_only_data},
    {".xdata", read_only_data},
    {".sxdata", IMAGE_SCN_LNK_INFO},
    {".drectve", IMAGE_SCN_LNK_INFO | IMAGE_SCN_LNK_REMOVE},
    {".eh_frame", read_only_data},
    {".gcc_except_table", read_only_data, IMAGE_FILE_MACHINE_I386},
    {".gehcont$y", read_only_data},
    {".gfids$y", read_only_data},
    {".giats$y", read_only_data},
    {".gljmp$y", read_only_data},
    {".impcall", IMAGE_SCN_LNK_INFO, IMAGE_FILE_MACHINE_ARM64},
    {".impcall", IMAGE_SCN_LNK_INFO, IMAGE_FILE_MACHINE_ARM64EC},
    {".retplne", IMAGE_SCN_LNK_INFO, IMAGE_FILE_MACHINE_AMD64},
    {".llvm_stackmaps", read_only_data},
    {".tls$", writable_data},
    {".pseudo_probe", debug_data},
    {".pseudo_probe_desc", debug_data},
    {".apple_names", debug_data},
    {".apple_namespaces", debug_data},
    {".apple_objc", debug_data},
    {".apple_types", debug_data},
    {".debug$H", debug_data},
    {".debug$S", debug_data},
    {".debug$T", debug_data},
    {".debug_abbrev", debug_data},
    {".debug_abbrev.dwo", debug_data},
    {".debug_addr", debug_data},
    {".debug_aranges", debug_data},
    {".debug_cu_index", debug_data},
    {".debug_frame", debug_data},
    {".debug_gnu_pubnames", debug_data},
    {".debug_gnu_pubtypes", debug_data},
    {".debug_info", debug_data},
    {".debug_info.dwo", debug_data},
    {".debug_line", debug_data},
    {".debug_line.dwo", debug_data},
    {".debug_line_str", debug_data},
    {".debug_loc", debug_data},
    {".debug_loc.dwo", debug_data},
    {".debug_loclists", debug_data},
    {".debug_loclists.dwo", debug_data},
    {".debug_macinfo", debug_data},
    {".debug_macinfo.dwo", debug_data},
    {".debug_macro", debug_data},
    {".debug_macro.dwo", debug_data},
    {".debug_names", debug_data},
    {".debug_pubnames", debug_data},
    {".debug_pubtypes", debug_data},
    {".debug_ranges", debug_data},
    {".debug_rnglists", debug_data},
    {".debug_rnglists.dwo", debug_data},
    {".debug_str", debug_data},
    {".debug_str.dwo", debug_data},
    {".debug_str_offsets", debug_data},
    {".debug_str_offsets.dwo", debug_data},
    {".debug_tu_index", debug_data},
    {".debug_types.dwo", debug_data},
};

/// What BFD makes of a section without flags.
u32 bfd_characteristics(std::string_view name) {
  if (name == ".text") return code;
  if (name == ".bss") return IMAGE_SCN_CNT_UNINITIALIZED_DATA | IMAGE_SCN_MEM_READ | IMAGE_SCN_MEM_WRITE;
  if (name == ".rdata" || name == ".rdata$zzz" || name == ".pdata" || name == ".xdata" || name == ".eh_frame")
    return read_only_data;
  if (name.starts_with(".debug") || name.starts_with(".stab")) return debug_data;
  if (name == ".sxdata") return IMAGE_SCN_LNK_INFO;
  return writable_data;
}

}  // namespace

u32 predefined_characteristics(const Program& program, std::string_view name) {
  if (program.profile.coff_bfd_section_flags) return 0;
  for (const PredefinedSection& p : predefined_sections) {
    if (p.name != name || (p.machine && p.machine != program.info.coff.machine)) continue;
    const bool removed = program.profile.coff_removes_dwo && name.ends_with(".dwo");
    return p.characteristics | (removed ? u32(IMAGE_SCN_LNK_REMOVE) : 0);
  }
  return 0;
}

u32 coff_default_characteristics(const Program& program, std::string_view name) {
  if (program.profile.coff_bfd_section_flags) return bfd_characteristics(name);
  const u32 predefined = predefined_characteristics(program, name);
  return predefined ? predefined : writable_data;
}

void apply_characteristics(Program& program, Section& section, u32 characteristics) {
  section.characteristics = characteristics;
  section.nobits = characteristics & IMAGE_SCN_CNT_UNINITIALIZED_DATA;
  section.flags = elf::SHF_ALLOC | (characteristics & IMAGE_SCN_CNT_CODE ? u64(elf::SHF_EXECINSTR) : 0);
  program.sections.sub(section.default_subsection).nobits = section.nobits;
}

namespace {

/// log2 of the alignment that BFD gives a new section.
u8 gnu_alignment(const Program& program, std::string_view name) {
  const auto any_of = [&](std::initializer_list<std::string_view> prefixes) {
    for (std::string_view p : prefixes) {
      if (name.starts_with(p)) return true;
    }
    return false;
  };
  if (any_of({".debug", ".zdebug", ".gnu.linkonce.wi."}) || name == ".stabstr") return 0;
  if (program.info.address_size == 8 && (name == ".bss" || any_of({".data", ".rdata", ".text"}))) return 4;
  return 2;
}

}  // namespace

Section& coff_section(Program& program, std::string_view name, u32 characteristics, u8 selection, SymbolId comdat,
                      u32 unique) {
  const u64 key = hash_step(hash_step(hash_name(name), u64(comdat) << 8 | selection), unique);
  const u32 known = program.section_index.find(key, [&](u32 number) {
    const Section& s = program.sections[number];
    return s.name == name && s.group == comdat && s.entsize == selection && s.unique == unique;
  });
  if (known != ~u32(0)) return program.sections[known];
  Section& s = program.sections.create(program.symbols.keep(name));
  s.loc = program.sources.statement_loc();
  s.group = comdat;
  s.selection = selection;
  s.unique = unique;
  s.entsize = selection;  // as it was named: .linkonce changes the selection of what already has a name
  s.comdat = selection != 0;
  if (program.profile.coff_section_alignments && !has_llvm_form(s)) s.log2_align = gnu_alignment(program, name);
  if (program.profile.coff_bfd_section_flags && name.starts_with(".gnu.linkonce") && !selection) {
    s.selection = IMAGE_COMDAT_SELECT_ANY;
    s.comdat = true;
    characteristics |= IMAGE_SCN_LNK_COMDAT;
  }
  apply_characteristics(program, s, characteristics);
  program.section_index.add(key, program.sections.index_of(s));
  program.section_symbol(s);
  return s;
}

bool has_llvm_form(const Section& section) { return section.entsize != 0 || section.unique != 0; }

void check_comdats(Program& program) {
  std::unordered_map<SymbolId, u32> sections;
  for (u32 i = 0; i < program.sections.size(); ++i) {
    const Section& s = program.sections[i];
    if (s.group == no_symbol || s.selection == IMAGE_COMDAT_SELECT_ASSOCIATIVE) continue;
    const auto [first, is_first] = sections.emplace(s.group, i);
    if (is_first) continue;
    program.diags.error(s.loc,
                        fmt::format("two sections have the COMDAT symbol '{}'", program.symbols[s.group].text()));
    program.diags.note(program.sections[first->second].loc, "the first is here");
  }
}

namespace {

constexpr u32 comdat_data = read_only_data | IMAGE_SCN_LNK_COMDAT;

/// GNU as: what follows the first '$' or '.' of the code section's name, which may be nothing.
std::string_view gnu_suffix(std::string_view name) {
  const std::size_t dollar = name.find('$');
  const std::size_t dot = name.find('.', 1);
  const std::size_t at = std::min(dollar, dot);
  return at == name.npos ? std::string_view() : name.substr(at);
}

/// LLVM's number of the code section, in the order in which their tables are made.
u32 unwind_id(Program& program, u32 code) {
  UnwindTable& table = program.unwind;
  if (table.unwind_ids.size() <= code) table.unwind_ids.resize(code + 1);
  if (table.unwind_ids[code] == 0) table.unwind_ids[code] = ++table.last_unwind_id;
  return table.unwind_ids[code];
}

/// The section for a table, as it is asked for.
struct TableSection {
  std::string name;
  u32 characteristics = read_only_data;
  u8 selection = 0;  ///< with `comdat` and `unique`: what makes it another one than others of its name
  SymbolId comdat = no_symbol;
  u32 unique = 0;
  const Section* like = nullptr;  ///< a new one is a COMDAT of the kind that this one is
  bool any = false;               ///< it becomes a COMDAT of which the linker keeps any
};

Section& table_section(Program& program, const TableSection& t) {
  const u32 known = program.sections.size();
  Section& s = coff_section(program, t.name, t.characteristics, t.selection, t.comdat, t.unique);
  if (t.like && known != program.sections.size()) {
    s.selection = t.like->selection;
    s.comdat = t.like->comdat;
    s.characteristics |= t.like->characteristics & IMAGE_SCN_LNK_COMDAT;
  }
  if (t.any) {
    s.selection = IMAGE_COMDAT_SELECT_ANY;
    s.comdat = true;
  }
  return s;
}

TableSection companion(const Section& code, std::string_view name, u32 characteristics) {
  return {.name = fmt::format("{}{}", name, gnu_suffix(code.name)), .characteristics = characteristics, .like = &code};
}

TableSection llvm_table(Program& program, u32 index, std::string_view name) {
  const Section& code = program.sections[index];
  if (&code == program.text) return {std::string(name)};
  const u32 unique = unwind_id(program, index);
  if (!(code.characteristics & IMAGE_SCN_LNK_COMDAT)) return {.name = std::string(name), .unique = unique};
  if (!program.options.associative_tables) {
    const std::size_t dollar = code.name.find('$');
    const std::string_view suffix = dollar == code.name.npos ? std::string_view() : code.name.substr(dollar + 1);
    return {fmt::format("{}${}", name, suffix), comdat_data, IMAGE_COMDAT_SELECT_ANY};
  }
  if (code.group == no_symbol) return {.name = std::string(name), .unique = unique};
  return {std::string(name), comdat_data, IMAGE_COMDAT_SELECT_ASSOCIATIVE, code.group, unique};
}

/// In the gnu profile, for code in a section of a form that GNU as does not have. For GNU environments it is GNU as's
/// section if that goes with the code by its name. That is where the text has the handler's data, and llvm-mc's own
/// section is another one.
TableSection mixed_table(Program& program, u32 index, std::string_view name) {
  const Section& code = program.sections[index];
  if (program.options.associative_tables || code.group == no_symbol) return llvm_table(program, index, name);
  const bool first_counts = code.selection <= IMAGE_COMDAT_SELECT_EXACT_MATCH;
  const std::string_view suffix = gnu_suffix(code.name);
  if (first_counts && suffix.size() >= 2)
    return {.name = fmt::format("{}{}", name, suffix), .characteristics = comdat_data, .any = true};
  return {std::string(name), comdat_data, IMAGE_COMDAT_SELECT_ASSOCIATIVE, code.group, unwind_id(program, index)};
}

TableSection unwind_table(Program& program, u32 code, std::string_view name) {
  if (!program.profile.coff_tables_by_name) return llvm_table(program, code, name);
  if (has_llvm_form(program.sections[code])) return mixed_table(program, code, name);
  return companion(program.sections[code], name, read_only_data);
}

}  // namespace

Section& companion_section(Program& program, const Section& code, std::string_view name, u32 characteristics) {
  return table_section(program, companion(code, name, characteristics));
}

Section& unwind_section(Program& program, u32 code, std::string_view name) {
  const TableSection t = unwind_table(program, code, name);
  return table_section(program, t);
}

bool is_coff_temporary(const Symbol& s) {
  return s.has(symbol_temporary) && s.storage_class() != IMAGE_SYM_CLASS_STATIC;
}

SymbolId coff_anchor(Program& program, u32 index, i64& addend) {
  constexpr unsigned interval_bits = 20;
  Section& section = program.sections[index];
  const SymbolId start = program.section_symbol(section);
  if (!program.info.coff.offset_labels || section.size >> interval_bits == 0) return start;
  std::vector<std::vector<SymbolId>>& all = program.coff.offset_labels;
  if (all.size() <= index) all.resize(index + 1);
  std::vector<SymbolId>& labels = all[index];
  while (u64(labels.size() + 1) << interval_bits < section.size) labels.push_back(program.symbols.make_anonymous());
  const u64 number = std::min<u64>(u64(addend) >> interval_bits, labels.size());
  if (number == 0) return start;
  addend -= i64(number << interval_bits);
  return labels[number - 1];
}

}  // namespace xas
