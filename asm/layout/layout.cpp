// SPDX-License-Identifier: Apache-2.0
// Layout: sections that depend on nothing but themselves first, each once; then those whose sizes read labels of other
// sections (.uleb128 of code distances in .gcc_except_table and .debug_loclists), until none of them moves.
#include "asm/layout/layout.h"

#include <fmt/format.h>

#include <bit>

#include "asm/layout/relax.h"
#include "asm/program/streamer.h"
#include "objwriter/elf_constants.h"

namespace xas {

namespace {

/// Rounds over all sections that read each other's labels.
constexpr unsigned max_rounds = 1000;

/// Of these, the first in which LEB128 numbers may still shrink.
constexpr unsigned shrinking_rounds = 8;

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

/// GNU as pads code (TargetInfo::Code::padded_at_end) to a multiple of four bytes, if the section's alignment is as large.
void pad_code_end(Program& program, u32 index) {
  const Section& section = program.sections[index];
  if (!section.is_code() || section.nobits || section.log2_align == 0) return;
  const unsigned log2 = std::min<unsigned>(section.log2_align, 2);
  const u32 last = program.sections.last_of(section);
  Subsection& sub = program.sections.sub(last);
  if (last == section.first && sub.fragments.empty() && (sub.size & ((u64(1) << log2) - 1)) == 0) return;
  if (end_padding_of(sub)) return;
  const bool thumb = program.target.thumb() != (section.mapping == Mapping::other_code);
  const AlignFragment align{.nop_style = u16(thumb ? 2 : 1), .log2 = u8(log2), .ends_subsection = true};
  sub.fragments.emplace_back(sub.size, section.loc, align);
}

void pad_ends(Program& program) {
  const bool merge = program.profile.pads_merge_sections;
  const bool code = program.info.code.padded_at_end && program.profile.pads_arm_code;
  for (u32 i = 0; i < program.sections.size() && (merge || code); ++i) {
    if (merge) pad_merge_section(program, program.sections[i]);
    if (code) pad_code_end(program, i);
  }
}

}  // namespace

u64 end_padding_size(const Program& program, const Section& section) {
  const Fragment* const padding = end_padding_of(program.sections.sub(program.sections.last_of(section)));
  return padding ? padding->size : 0;
}

namespace {

/// Sizes were added up modulo 2^64; this tells whether that was right, and within the limit.
void check_size(Program& program, Section& section) {
  u64 total = 0;
  bool overflow = false;
  SourceLoc where = section.loc;
  const u64 limit = section.nobits ? ~u64(0) : max_section_bytes;
  for (u32 id = section.first; id != ~u32(0); id = program.sections.sub(id).next) {
    const Subsection& sub = program.sections.sub(id);
    overflow |= __builtin_add_overflow(total, sub.size, &total);
    for (const Fragment& f : sub.fragments) {
      const bool fits = !__builtin_add_overflow(total, f.size, &total) && total <= limit;
      if (!fits && !overflow) where = f.loc;
      overflow |= !fits;
    }
  }
  if (!overflow && total <= limit) return;
  program.diags.error(where, section.nobits
                                 ? fmt::format("section {} exceeds 2^64 bytes", section.name)
                                 : fmt::format("section {} exceeds the limit of {} bytes", section.name, limit));
}

/// Says what is wrong with the value of a size, once: the fragment is emptied.
void check_value(Program& program, Section& section, const Subsection& sub, Fragment& f) {
  const Resolved r = program.resolve(f.value());
  const u64 here = sub.offset(f);
  std::string problem;
  bool only_warn = false;
  switch (f.kind) {
    case FragmentKind::insn:
    case FragmentKind::padding:
    case FragmentKind::piece:
    case FragmentKind::align: return;
    case FragmentKind::leb:
      if (r.kind == Resolved::number) return;
      problem = "a LEB128 number must be known when the object is made";
      break;
    case FragmentKind::fill:
    case FragmentKind::nops:
      if (r.kind != Resolved::number) {
        problem = "the number of bytes must be known when the object is made";
      } else if (r.value < 0) {
        problem = fmt::format("the repeat count {} is negative", r.value);
        only_warn = program.profile.negative_fill_is_empty;
        if (only_warn) problem += "; nothing is filled";
      } else {
        const u8 unit = f.kind == FragmentKind::fill ? f.as<FillFragment>().unit : u8(1);
        u64 bytes;
        if (!__builtin_mul_overflow(u64(r.value), u64(std::max<u8>(unit, 1)), &bytes)) return;
        problem = fmt::format("{} times {} bytes exceed 2^64 bytes", r.value, unit);
      }
      break;
    case FragmentKind::org:
      if (r.kind == Resolved::place && &program.sections[r.section] != &section) {
        problem =
            fmt::format("the new location is in section {}, not in {}", program.sections[r.section].name, section.name);
      } else if (r.kind == Resolved::undefined) {
        problem = fmt::format("the new location '{}' is not defined in this section", program.symbols[r.symbol].text());
      } else if (r.kind != Resolved::error) {
        if (r.value >= 0 && u64(r.value) >= here) return;
        problem = fmt::format(".org goes backwards, from 0x{:x} to {}0x{:x}", here, r.value < 0 ? "-" : "",
                              r.value < 0 ? 0 - u64(r.value) : u64(r.value));
      } else {
        problem = "the new location must be an offset in this section";
      }
      break;
    case FragmentKind::prefalign:
      if (r.kind == Resolved::place && &program.sections[r.section] == &section) {
        section.log2_align = std::max(section.log2_align, f.as<PrefalignFragment>().log2);
        return;
      }
      problem = "the end symbol must be in this section";
      break;
  }
  if (only_warn) {
    program.diags.warning(f.loc, std::move(problem));
  } else {
    program.diags.error(f.loc, std::move(problem));
    if (r.message) program.diags.note(f.loc, r.message);
  }
  f.become(FillFragment{});
}

void check_values(Program& program, Section& section) {
  for (u32 id = section.first; id != ~u32(0); id = program.sections.sub(id).next) {
    Subsection& sub = program.sections.sub(id);
    for (Fragment& f : sub.fragments) {
      if (f.kind == FragmentKind::insn || f.kind == FragmentKind::align || f.kind == FragmentKind::padding ||
          f.kind == FragmentKind::piece)
        continue;
      if (f.kind == FragmentKind::leb && f.as<LebFragment>().number.is_constant()) continue;
      check_value(program, section, sub, f);
    }
  }
}

}  // namespace

void layout(Program& program) {
  pad_ends(program);
  Relaxation relaxation(program);
  std::vector<u32> dependent, independent;
  for (u32 i = 0; i < program.sections.size(); ++i) {
    Section& section = program.sections[i];
    Subsection& first = program.sections.sub(section.first);
    if (first.fragments.empty() && first.next == ~u32(0)) {
      section.size = first.size;
      relaxation.make_final(section);
      continue;
    }
    if (relaxation.is_final(section)) continue;
    // It marks the section's start, which is not where its subsection 0 is if there are negative ones.
    if (section.symbol != no_symbol) program.symbols[section.symbol].where = section.first;
    if (!section.nobits && relaxation.finalize_numbers(section)) {
      relaxation.make_final(section);
      if (section.size > max_section_bytes) independent.push_back(i);
      continue;
    }
    relaxation.relax(section, true);
    (relaxation.has_slow() ? dependent : independent).push_back(i);
    if (!relaxation.has_slow()) relaxation.make_final(section);
  }
  bool moved = !dependent.empty();
  for (unsigned round = 0; moved; ++round) {
    moved = false;
    if (round > shrinking_rounds) relaxation.forbid_shrinking();
    for (u32 i : dependent) moved |= relaxation.relax(program.sections[i], false);
    if (program.diags.errors()) break;
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
    for (u32 i : *list) {
      check_size(program, program.sections[i]);
      check_values(program, program.sections[i]);
    }
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
