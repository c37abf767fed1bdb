// SPDX-License-Identifier: Apache-2.0
// Layout: sections that depend on nothing but themselves first, each once; then those whose sizes read labels of other
// sections (.uleb128 of code distances in .gcc_except_table and .debug_loclists), until none of them moves.
#include "asm/layout/layout.h"

#include <algorithm>
#include <bit>

#include "asm/layout/relax.h"
#include "asm/layout/relax_final.h"
#include "asm/program/streamer.h"
#include "objwriter/elf_constants.h"

namespace xas {

namespace {

/// Rounds over all sections that read each other's labels.
constexpr unsigned max_rounds = 1000;

/// The padding that ends the subsection; null if there is none.
const Fragment* end_padding_of(const Subsection& sub) {
  if (sub.fragments.empty()) return nullptr;
  const Fragment& f = sub.fragments.back();
  return f.kind == FragmentKind::align && f.as<AlignFragment>().ends_subsection ? &f : nullptr;
}

/// GNU as pads every subsection of a SHF_MERGE section to the power of two that divides its entries' size.
void pad_merge_section(Program& program, const Section& section) {
  if (!(section.flags & elf::SHF_MERGE) || section.entsize == 0 || section.nobits) return;
  const int log2 = std::countr_zero(section.entsize);
  if (log2 == 0) return;
  const bool single = program.sections.sub(section.first).next == ~u32(0);
  for (u32 id = section.first; id != ~u32(0); id = program.sections.sub(id).next) {
    Subsection& sub = program.sections.sub(id);
    const u64 mask = (u64(1) << log2) - 1;
    if (single && sub.fragments.empty() && (sub.size & mask) == 0) continue;
    if (end_padding_of(sub)) continue;
    const AlignFragment align{.log2 = u8(log2), .pattern_size = u8(section.is_code() ? 0 : 1), .ends_subsection = true};
    sub.fragments.emplace_back(sub.size, section.loc, align);
  }
}

/// GNU as pads code (TargetInfo::Code::padded_at_end) to a multiple of four bytes, if the section's alignment is as
/// large.
void pad_code_end(Program& program, const Section& section) {
  if (section.log2_align == 0) return;
  const unsigned log2 = std::min<unsigned>(section.log2_align, 2);
  const u32 last = program.sections.last_of(section);
  Subsection& sub = program.sections.sub(last);
  if (last == section.first && sub.fragments.empty() && (sub.size & ((u64(1) << log2) - 1)) == 0) return;
  if (end_padding_of(sub)) return;
  const bool other = program.mapping_of(section) == Mapping::other_code && !sub.ends_in_padding();
  const u16 style = program.target.end_nop_style(other);
  const AlignFragment align{.nop_style = style, .log2 = u8(log2), .ends_subsection = true};
  program.code_paddings.push_back({.subsection = last,
                                   .fragment = u32(sub.fragments.size()),
                                   .pos = sub.size,
                                   .size = ~u64(0),
                                   .mark = other ? program.target.other_code_mapping() : program.target.code_mapping(),
                                   .unit = program.target.nop_unit(style)});
  sub.fragments.emplace_back(sub.size, section.loc, align);
}

void pad_ends(Program& program) {
  const bool merge = program.profile.pads_merge_sections;
  const bool gnu_marks = program.info.mapping.symbols && !program.profile.maps_all_data;
  const bool code = program.info.code.padded_at_end && program.profile.pads_arm_code;
  for (u32 i = 0; i < program.sections.size() && (merge || gnu_marks); ++i) {
    const Section& section = program.sections[i];
    if (merge) pad_merge_section(program, section);
    if (!gnu_marks || section.nobits) continue;
    program.map_end_padding(section);
    if (code && section.is_code()) pad_code_end(program, section);
  }
}

}  // namespace

u64 end_padding_size(const Program& program, const Section& section) {
  const Fragment* const padding = end_padding_of(program.sections.sub(program.sections.last_of(section)));
  return padding ? padding->size : 0;
}

void layout(Program& program) {
  pad_ends(program);
  Relaxation relaxation(program);
  std::vector<u32> dependent, independent;
  for (u32 i = 0; i < program.sections.size(); ++i) {
    Section& section = program.sections[i];
    Subsection& first = program.sections.sub(section.first);
    if (first.fragments.empty() && first.next == ~u32(0)) {
      section.size = first.size;
      make_final(program, section);
      continue;
    }
    if (is_final(program, section)) continue;
    // It marks the section's start, which is not where its subsection 0 is if there are negative ones.
    if (section.symbol != no_symbol) program.symbols[section.symbol].where = section.first;
    if (!section.nobits && finalize_in_order(program, section)) {
      make_final(program, section);
      if (section.size > max_section_bytes) independent.push_back(i);
      continue;
    }
    relaxation.relax(section, true);
    (relaxation.has_slow() ? dependent : independent).push_back(i);
    if (!relaxation.has_slow()) make_final(program, section);
  }
  const u32 errors_before = program.diags.errors();
  bool moved = !dependent.empty();
  for (unsigned round = 0; moved; ++round) {
    moved = false;
    if (round > Relaxation::shrinking_rounds) relaxation.forbid_shrinking();
    for (u32 i : dependent) moved |= relaxation.relax(program.sections[i], false);
    if (program.diags.errors() != errors_before) break;
    if (moved && round > max_rounds) {
      program.diags.error(program.sections[dependent.back()].loc,
                          "sizes in this section and in others depend on each other without end");
      break;
    }
  }
  if (program.padding.widens()) {
    for (const auto* list : {&independent, &dependent}) {
      for (u32 i : *list) {
        Section& section = program.sections[i];
        if (section.is_code() && !section.nobits && widen_instructions(program, section))
          relaxation.place_again(section);
      }
    }
  }
  ++program.layout_version;
  for (const auto* list : {&independent, &dependent}) {
    for (u32 i : *list) check_sizes(program, program.sections[i]);
  }
}

void pad_coff_sections(Program& program) {
  if (!program.profile.coff_pads_sections) return;
  constexpr u8 one_byte_nop = 0x90;
  for (u32 i = 0; i < program.sections.size(); ++i) {
    Section& section = program.sections[i];
    if ((section.nobits && program.options.no_pad_sections) || has_llvm_form(section)) continue;
    section.padding = (0 - section.size) & ((u64(1) << section.log2_align) - 1);
    if (section.padding == 0) continue;
    Subsection& sub = program.sections.sub(program.sections.last_of(section));
    if (!section.nobits) {
      const bool ends_in_data = program.options.data_in_text && &section == program.text;  // -R
      const bool code = section.is_code() && !program.options.no_pad_sections && !ends_in_data;
      std::memset(sub.reserve(section.padding), code ? one_byte_nop : 0, section.padding);
    }
    sub.size += section.padding;
    section.size += section.padding;
  }
}

}  // namespace xas
