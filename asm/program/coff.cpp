// SPDX-License-Identifier: Apache-2.0
// COFF conventions: what the profile means for COFF objects, and the flags, alignment and padding of sections.
//
// Sources: Microsoft, "PE Format". The names that decide a section's flags and alignment in GNU as are BFD's.
#include "asm/program/coff.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "asm/program/streamer.h"
#include "objwriter/coff_constants.h"
#include "objwriter/elf_constants.h"

namespace xas {

using namespace coff;

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

u32 coff_default_characteristics(const Program& program, std::string_view name) {
  constexpr u32 read = IMAGE_SCN_MEM_READ, write = IMAGE_SCN_MEM_WRITE;
  if (name == ".text") return IMAGE_SCN_CNT_CODE | IMAGE_SCN_MEM_EXECUTE | read;
  if (name == ".data") return IMAGE_SCN_CNT_INITIALIZED_DATA | read | write;
  if (name == ".bss") return IMAGE_SCN_CNT_UNINITIALIZED_DATA | read | write;
  if (name == ".rdata" || name == ".rdata$zzz" || name == ".pdata" || name == ".xdata" || name == ".eh_frame")
    return IMAGE_SCN_CNT_INITIALIZED_DATA | read;
  const bool stabs = program.profile.coff_bfd_section_flags && name.starts_with(".stab");
  if (name.starts_with(".debug") || stabs) return IMAGE_SCN_CNT_INITIALIZED_DATA | IMAGE_SCN_MEM_DISCARDABLE | read;
  if (name == ".drectve" && !program.profile.coff_bfd_section_flags) return IMAGE_SCN_LNK_INFO | IMAGE_SCN_LNK_REMOVE;
  if (name == ".sxdata") return IMAGE_SCN_LNK_INFO;
  return IMAGE_SCN_CNT_INITIALIZED_DATA | read | write;
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
  Section& s = program.sections.create({program.symbols.keep(name), name.size()});
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

bool is_llvm_text(const Program& program) {
  const CoffState& c = program.coff;
  if (program.records.emit_addrsig || !c.address_significant.empty() || !c.calls.empty()) return true;
  if (!c.safe_handlers.empty() || !c.symbol_indices.empty()) return true;
  for (u32 i = 0; i < program.sections.size(); ++i) {
    if (!program.sections[i].absolute && has_llvm_form(program.sections[i])) return true;
  }
  return std::any_of(program.unwind.frames.begin(), program.unwind.frames.end(),
                     [](const UnwindFrame& f) { return !f.epilogues.empty(); });
}

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

bool is_temporary(const Program& program, const Name& name) {
  const bool dot = name.size >= 2 && name.p[0] == '.' && name.p[1] == 'L';
  if (program.info.names.dollar_m_temporary) return name.text().starts_with("$M");
  return dot ? program.info.names.dot_l_temporary : program.info.names.plain_l_temporary && name.size && name.p[0] == 'L';
}

}  // namespace

void finish_coff_sections(Streamer& out, SourceLoc end) {
  // llvm-mc begins with those of unwind tables, and has lists of symbols before line tables.
  if (out.program.profile.coff_frame_sections_first && !out.program.cfi.frames.empty()) {
    if (out.program.cfi.sections & cfi_eh_frame) out.program.section_named(".eh_frame");
    if (out.program.cfi.sections & cfi_debug_frame) out.program.section_named(".debug_frame");
  }
  finish_unwind_tables(out, end);
  if (out.program.records.emit_addrsig) coff_section(out.program, ".llvm_addrsig", IMAGE_SCN_LNK_REMOVE);
  for (const CoffState::Call& c : out.program.coff.calls) {
    if (is_temporary(out.program, c.from) || is_temporary(out.program, c.to)) continue;
    CallGraphEdge edge{.count = c.count, .loc = c.loc};
    edge.from = out.program.symbols.intern(c.from);
    edge.to = out.program.symbols.intern(c.to);
    for (SymbolId id : {edge.from, edge.to}) out.program.symbols[id].flags |= symbol_referenced;
    out.program.records.call_graph.push_back(edge);
  }
  if (!out.program.records.call_graph.empty())
    coff_section(out.program, ".llvm.call-graph-profile", IMAGE_SCN_LNK_REMOVE);
}

bool is_coff_temporary(const Symbol& s) { return s.has(symbol_temporary) && s.other != IMAGE_SYM_CLASS_STATIC; }

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
