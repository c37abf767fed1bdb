// COFF conventions: what the profile means for COFF objects, and the flags, alignment and padding of sections.
//
// Sources: Microsoft, "PE Format". The names that decide a section's flags and alignment in GNU as are BFD's.
#include "asm/coff.h"

#include <algorithm>
#include <bit>

#include "asm/assembler.h"
#include "objwriter/coff_constants.h"
#include "objwriter/elf_constants.h"

namespace xas {

using namespace coff;

namespace {

/// GNU as knows nothing of Windows on ARM and ARM64. The language stays its own, and the object is LLVM's.
Profile gnu_language(const Profile& gnu) {
  Profile p = llvm_profile;
  p.standard_input = gnu.standard_input;
  p.default_output = gnu.default_output;
  p.gnu_macros = gnu.gnu_macros;
  p.macro_depth = gnu.macro_depth;
  p.conditional_ends_in_macro = gnu.conditional_ends_in_macro;
  p.line_renumbers = gnu.line_renumbers;
  p.bangs_are_xor = gnu.bangs_are_xor;
  p.skips_bad_blocks = gnu.skips_bad_blocks;
  p.failed_condition_holds = gnu.failed_condition_holds;
  p.reports_open_at_end = gnu.reports_open_at_end;
  p.abort_stops = gnu.abort_stops;
  p.message_escapes = gnu.message_escapes;
  p.wide_leb = gnu.wide_leb;
  p.truncate_data = gnu.truncate_data;
  p.divide_by_zero_is_one = gnu.divide_by_zero_is_one;
  p.unknown_is_unequal = gnu.unknown_is_unequal;
  p.float_letter_prefix = gnu.float_letter_prefix;
  p.missing_is_zero = gnu.missing_is_zero;
  p.names_join = gnu.names_join;
  p.octal_eight = gnu.octal_eight;
  p.host_shifts = gnu.host_shifts;
  p.coff_signed_shifts = gnu.coff_signed_shifts;
  p.negative_fill_is_empty = gnu.negative_fill_is_empty;
  return p;
}

}  // namespace

void adapt_to_coff(Profile& profile, TargetOptions& target) {
  if (target.machine != Machine::x86 && profile.gnu) {
    profile = gnu_language(profile);
    target.gnu = false;
  }
  profile.default_data_bss = true;  // both assemblers begin with all three
  profile.text_align = profile.coff_section_alignments ? target.bits == 64 ? 16 : 4 : 4;
  // There is no group, visibility or symbol type, so these ELF rules have nothing to say.
  profile.got_symbol_from_modifier = false;
  profile.global_absolutes_relocate = false;
  profile.calls_choose_at_once = false;
  profile.pads_merge_sections = false;
  profile.kept_temporaries_last = false;
}

bool is_predefined_coff_section(std::string_view name) {
  constexpr std::string_view names[] = {".text",
                                        ".data",
                                        ".bss",
                                        ".rdata",
                                        ".pdata",
                                        ".xdata",
                                        ".sxdata",
                                        ".drectve",
                                        ".eh_frame",
                                        ".debug$S",
                                        ".debug$T",
                                        ".debug$H",
                                        ".debug_abbrev",
                                        ".debug_info",
                                        ".debug_line",
                                        ".debug_line_str",
                                        ".debug_frame",
                                        ".debug_pubnames",
                                        ".debug_pubtypes",
                                        ".debug_str",
                                        ".debug_str_offsets",
                                        ".debug_loc",
                                        ".debug_loclists",
                                        ".debug_aranges",
                                        ".debug_ranges",
                                        ".debug_rnglists",
                                        ".debug_macinfo",
                                        ".debug_macro",
                                        ".debug_names",
                                        ".debug_addr",
                                        ".debug_gnu_pubnames",
                                        ".debug_gnu_pubtypes"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

u32 coff_default_characteristics(const Assembler& a, std::string_view name) {
  constexpr u32 read = IMAGE_SCN_MEM_READ, write = IMAGE_SCN_MEM_WRITE;
  if (name == ".text") return IMAGE_SCN_CNT_CODE | IMAGE_SCN_MEM_EXECUTE | read;
  if (name == ".data") return IMAGE_SCN_CNT_INITIALIZED_DATA | read | write;
  if (name == ".bss") return IMAGE_SCN_CNT_UNINITIALIZED_DATA | read | write;
  if (name == ".rdata" || name == ".rdata$zzz" || name == ".pdata" || name == ".xdata" || name == ".eh_frame")
    return IMAGE_SCN_CNT_INITIALIZED_DATA | read;
  const bool stabs = a.profile.gnu_section_defaults && name.starts_with(".stab");
  if (name.starts_with(".debug") || stabs) return IMAGE_SCN_CNT_INITIALIZED_DATA | IMAGE_SCN_MEM_DISCARDABLE | read;
  if (name == ".drectve" && !a.profile.gnu_section_defaults) return IMAGE_SCN_LNK_INFO | IMAGE_SCN_LNK_REMOVE;
  if (name == ".sxdata") return IMAGE_SCN_LNK_INFO;
  return IMAGE_SCN_CNT_INITIALIZED_DATA | read | write;
}

void apply_characteristics(Assembler& a, Section& section, u32 characteristics) {
  section.characteristics = characteristics;
  section.nobits = characteristics & IMAGE_SCN_CNT_UNINITIALIZED_DATA;
  section.flags = elf::SHF_ALLOC | (characteristics & IMAGE_SCN_CNT_CODE ? u64(elf::SHF_EXECINSTR) : 0);
  a.sections.sub(section.default_subsection).nobits = section.nobits;
}

namespace {

/// log2 of the alignment that BFD gives a new section.
u8 gnu_alignment(const Assembler& a, std::string_view name) {
  const auto any_of = [&](std::initializer_list<std::string_view> prefixes) {
    for (std::string_view p : prefixes) {
      if (name.starts_with(p)) return true;
    }
    return false;
  };
  if (any_of({".debug", ".zdebug", ".gnu.linkonce.wi."}) || name == ".stabstr") return 0;
  if (a.info.address_size == 8 && (name == ".bss" || any_of({".data", ".rdata", ".text"}))) return 4;
  return 2;
}

}  // namespace

Section& coff_section(Assembler& a, std::string_view name, u32 characteristics, u8 selection, SymbolId comdat,
                      u32 unique) {
  const u64 key = hash_step(hash_step(hash_name(name), u64(comdat) << 8 | selection), unique);
  const u32 known = a.section_index.find(key, [&](u32 number) {
    const Section& s = a.sections[number];
    return s.name == name && s.group == comdat && s.entsize == selection && s.unique == unique;
  });
  if (known != ~u32(0)) return a.sections[known];
  Section& s = a.sections.create({a.symbols.keep(name), name.size()});
  s.loc = a.here();
  s.group = comdat;
  s.selection = selection;
  s.unique = unique;
  s.entsize = selection;  // as it was named: .linkonce changes the selection of what already has a name
  s.comdat = selection != 0;
  if (a.profile.coff_section_alignments) s.log2_align = gnu_alignment(a, name);
  if (a.profile.gnu_section_defaults && name.starts_with(".gnu.linkonce") && !selection) {
    s.selection = IMAGE_COMDAT_SELECT_ANY;
    s.comdat = true;
    characteristics |= IMAGE_SCN_LNK_COMDAT;
  }
  apply_characteristics(a, s, characteristics);
  a.section_index.add(key, a.sections.index_of(s));
  a.section_symbol(s);
  return s;
}

namespace {

bool is_temporary(const Assembler& a, const Name& name) {
  const bool dot = name.size >= 2 && name.p[0] == '.' && name.p[1] == 'L';
  if (a.info.dollar_m_temporary) return name.text().starts_with("$M");
  return dot ? a.info.dot_l_temporary : a.info.plain_l_temporary && name.size && name.p[0] == 'L';
}

}  // namespace

void finish_coff_sections(Assembler& a) {
  // llvm-mc begins with those of unwind tables, and has lists of symbols before line tables.
  if (!a.profile.coff_gnu_symbols && !a.cfi.frames.empty()) {
    if (a.cfi.sections & cfi_eh_frame) a.section_named(".eh_frame");
    if (a.cfi.sections & cfi_debug_frame) a.section_named(".debug_frame");
  }
  finish_unwind_tables(a);
  if (a.emit_addrsig) coff_section(a, ".llvm_addrsig", IMAGE_SCN_LNK_REMOVE);
  for (const CoffState::Call& c : a.coff.calls) {
    if (is_temporary(a, c.from) || is_temporary(a, c.to)) continue;
    CallGraphEdge edge{.count = c.count, .loc = c.loc};
    edge.from = a.symbols.intern(c.from);
    edge.to = a.symbols.intern(c.to);
    for (SymbolId id : {edge.from, edge.to}) a.symbols[id].flags |= symbol_referenced;
    a.call_graph.push_back(edge);
  }
  if (!a.call_graph.empty()) coff_section(a, ".llvm.call-graph-profile", IMAGE_SCN_LNK_REMOVE);
}

bool is_coff_temporary(const Symbol& s) { return s.has(symbol_temporary) && s.other != IMAGE_SYM_CLASS_STATIC; }

SymbolId coff_anchor(Assembler& a, u32 index, i64& addend) {
  constexpr unsigned interval_bits = 20;
  Section& section = a.sections[index];
  const SymbolId start = a.section_symbol(section);
  if (!a.info.coff_offset_labels || section.size >> interval_bits == 0) return start;
  std::vector<std::vector<SymbolId>>& all = a.coff.offset_labels;
  if (all.size() <= index) all.resize(index + 1);
  std::vector<SymbolId>& labels = all[index];
  while (u64(labels.size() + 1) << interval_bits < section.size) labels.push_back(a.symbols.make_anonymous());
  const u64 number = std::min<u64>(u64(addend) >> interval_bits, labels.size());
  if (number == 0) return start;
  addend -= i64(number << interval_bits);
  return labels[number - 1];
}

void pad_coff_sections(Assembler& a) {
  if (!a.profile.coff_pads_sections) return;
  constexpr u8 one_byte_nop = 0x90;
  for (u32 i = 0; i < a.sections.size(); ++i) {
    Section& section = a.sections[i];
    if (section.nobits && a.options.no_pad_sections) continue;
    section.padding = (0 - section.size) & ((u64(1) << section.log2_align) - 1);
    if (section.padding == 0) continue;
    Subsection& sub = a.sections.sub(a.sections.last_of(section));
    if (!section.nobits) {
      const bool ends_in_data = a.options.data_in_text && &section == a.text;  // -R
      const bool code = section.is_code() && !a.options.no_pad_sections && !ends_in_data;
      std::memset(sub.reserve(section.padding), code ? one_byte_nop : 0, section.padding);
    }
    sub.size += section.padding;
    section.size += section.padding;
  }
}

}  // namespace xas
