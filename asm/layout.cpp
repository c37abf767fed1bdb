// Layout: sections that depend on nothing but themselves first, each once; then those whose sizes read labels of other
// sections (.uleb128 of code distances in .gcc_except_table and .debug_loclists), until none of them moves.
#include "asm/layout.h"

#include <fmt/format.h>

#include <bit>

#include "asm/assembler.h"
#include "asm/relax.h"

namespace xas {

namespace {

constexpr u64 SHF_MERGE = 0x10;

/// Rounds over all sections that read each other's labels.
constexpr unsigned max_rounds = 1000;

/// Of these, the first in which LEB128 numbers may still shrink.
constexpr unsigned shrinking_rounds = 8;

/// Flex::form of the padding that ends subsections.
constexpr u16 end_padding = 1;

/// The padding that ends the subsection; null if there is none.
const Flex* end_padding_of(const Subsection& sub) {
  if (sub.flexes.empty()) return nullptr;
  const Flex& f = sub.flexes.back();
  return f.kind == FlexKind::align && f.form == end_padding ? &f : nullptr;
}

/// GNU as pads every subsection of a SHF_MERGE section to the power of two that divides its entries' size.
void pad_merge_section(Assembler& a, const Section& section) {
  if (!(section.flags & SHF_MERGE) || section.entsize == 0 || section.nobits) return;
  const int log2 = std::countr_zero(section.entsize);
  if (log2 == 0) return;
  const bool single = a.sections.sub(section.first).next == ~u32(0);
  for (u32 id = section.first; id != ~u32(0); id = a.sections.sub(id).next) {
    Subsection& sub = a.sections.sub(id);
    const u64 mask = (u64(1) << log2) - 1;
    if (single && sub.flexes.empty() && (sub.size & mask) == 0) continue;
    if (end_padding_of(sub)) continue;
    Flex& f = sub.flexes.emplace_back();
    f.pos = sub.size;
    f.kind = FlexKind::align;
    f.form = end_padding;
    f.state = u8(log2);
    f.fill_size = section.is_code() ? 0 : 1;
    f.add = 0;
    f.loc = section.loc;
  }
}

/// GNU as on ARM pads code to a multiple of four bytes, if the section's alignment is as large.
void pad_arm_code(Assembler& a, u32 index) {
  const Section& section = a.sections[index];
  if (!section.is_code() || section.nobits || section.log2_align == 0) return;
  const unsigned log2 = std::min<unsigned>(section.log2_align, 2);
  const u32 last = a.sections.last_of(section);
  Subsection& sub = a.sections.sub(last);
  if (last == section.first && sub.flexes.empty() && (sub.size & ((u64(1) << log2) - 1)) == 0) return;
  if (end_padding_of(sub)) return;
  const Mapping mapping = a.current && a.current->section == index ? a.mapping : section.mapping;
  const bool thumb = a.target.thumb() != (mapping == Mapping::other_code);
  Flex& f = sub.flexes.emplace_back();
  f.pos = sub.size;
  f.kind = FlexKind::align;
  f.form = end_padding;
  f.state = u8(log2);
  f.fill = thumb ? 2 : 1;
  f.add = 0;
  f.loc = section.loc;
}

}  // namespace

u64 end_padding_size(const Assembler& a, const Section& section) {
  const Flex* const padding = end_padding_of(a.sections.sub(a.sections.last_of(section)));
  return padding ? padding->size : 0;
}

namespace {

/// A section symbol marks the section's start, which is not where its subsection 0 is if there are negative ones.
void move_section_symbol(Assembler& a, const Section& section) {
  if (section.symbol != no_symbol) a.symbols[section.symbol].where = section.first;
}

bool unchanged(const Assembler& a, const Section& section) {
  for (u32 id = section.first; id != ~u32(0); id = a.sections.sub(id).next) {
    const Subsection& sub = a.sections.sub(id);
    if (!sub.is_settled()) return false;
  }
  return true;
}

void remember(Assembler& a, const Section& section) {
  for (u32 id = section.first; id != ~u32(0); id = a.sections.sub(id).next) {
    Subsection& sub = a.sections.sub(id);
    sub.settled_size = sub.size;
    sub.settled_flexes = u32(sub.flexes.size());
  }
}

/// Sizes were added up modulo 2^64; this tells whether that was right, and within the limit.
void check_size(Assembler& a, Section& section) {
  u64 total = 0;
  bool overflow = false;
  SourceLoc where = section.loc;
  const u64 limit = section.nobits ? ~u64(0) : max_section_bytes;
  for (u32 id = section.first; id != ~u32(0); id = a.sections.sub(id).next) {
    const Subsection& sub = a.sections.sub(id);
    overflow |= __builtin_add_overflow(total, sub.size, &total);
    for (const Flex& f : sub.flexes) {
      const bool fits = !__builtin_add_overflow(total, f.size, &total) && total <= limit;
      if (!fits && !overflow) where = f.loc;
      overflow |= !fits;
    }
  }
  if (!overflow && total <= limit) return;
  a.diags.error(where, section.nobits ? fmt::format("section {} exceeds 2^64 bytes", section.name)
                                      : fmt::format("section {} exceeds the limit of {} bytes", section.name, limit));
}

/// The section starts where the padding of a .prefalign before `body` bytes counts on.
void require_alignment(Section& section, const Flex& f, u64 body) {
  const int wanted =
      std::min(body > u64(1) << f.state ? int(f.state) : std::countr_zero(std::bit_ceil(body)), int(f.state));
  section.log2_align = std::max(section.log2_align, u8(wanted));
}

/// Says what is wrong with the value of a size, once: the flex is emptied.
void check_value(Assembler& a, Section& section, const Subsection& sub, Flex& f) {
  const Resolved r = a.resolve(Value{.constant = f.constant, .add = f.add, .sub = f.sub});
  const u64 here = sub.offset(f);
  std::string problem;
  bool only_warn = false;
  switch (f.kind) {
    case FlexKind::insn:
    case FlexKind::padding:
    case FlexKind::align: return;
    case FlexKind::leb:
      if (r.kind == Resolved::number) return;
      problem = "a LEB128 number must be known when the object is made";
      break;
    case FlexKind::fill:
    case FlexKind::nops:
      if (r.kind != Resolved::number) {
        problem = "the number of bytes must be known when the object is made";
      } else if (r.value < 0) {
        problem = fmt::format("the repeat count {} is negative", r.value);
        only_warn = a.profile.negative_fill_is_empty;
        if (only_warn) problem += "; nothing is filled";
      } else {
        u64 bytes;
        if (!__builtin_mul_overflow(u64(r.value), u64(std::max<u8>(f.fill_size, 1)), &bytes)) return;
        problem = fmt::format("{} times {} bytes exceed 2^64 bytes", r.value, f.fill_size);
      }
      break;
    case FlexKind::org:
      if (r.kind == Resolved::place && &a.sections[r.section] != &section) {
        problem = fmt::format("the new location is in section {}, not in {}", a.sections[r.section].name, section.name);
      } else if (r.kind == Resolved::undefined) {
        problem = fmt::format("the new location '{}' is not defined in this section", a.symbols[r.symbol].text());
      } else if (r.kind != Resolved::error) {
        if (r.value >= 0 && u64(r.value) >= here) return;
        problem = fmt::format(".org goes backwards, from 0x{:x} to {}0x{:x}", here, r.value < 0 ? "-" : "",
                              r.value < 0 ? 0 - u64(r.value) : u64(r.value));
      } else {
        problem = "the new location must be an offset in this section";
      }
      break;
    case FlexKind::prefalign:
      if (r.kind == Resolved::place && &a.sections[r.section] == &section) {
        if (u64(r.value) >= here + f.size) return require_alignment(section, f, u64(r.value) - here - f.size);
        problem = "the end symbol is not behind the .prefalign";
      } else {
        problem = "the end symbol must be in this section";
      }
      break;
  }
  if (only_warn) {
    a.diags.warning(f.loc, std::move(problem));
  } else {
    a.diags.error(f.loc, std::move(problem));
    if (r.message) a.diags.note(f.loc, r.message);
  }
  f.kind = FlexKind::fill;
  f.add = f.sub = no_symbol;
  f.constant = 0;
}

void check_values(Assembler& a, Section& section) {
  for (u32 id = section.first; id != ~u32(0); id = a.sections.sub(id).next) {
    Subsection& sub = a.sections.sub(id);
    for (Flex& f : sub.flexes) {
      if (f.kind == FlexKind::insn || f.kind == FlexKind::align || f.kind == FlexKind::padding) continue;
      if (f.kind == FlexKind::leb && f.add == no_symbol && f.sub == no_symbol) continue;
      check_value(a, section, sub, f);
    }
  }
}

}  // namespace

void layout(Assembler& a) {
  Relaxation relaxation(a);
  std::vector<u32> dependent, settled;
  for (u32 i = 0; i < a.sections.size(); ++i) {
    Section& section = a.sections[i];
    if (a.profile.pads_merge_sections) pad_merge_section(a, section);
    if (a.info.arm_labels && a.profile.gnu) pad_arm_code(a, i);
    Subsection& first = a.sections.sub(section.first);
    if (first.flexes.empty() && first.next == ~u32(0)) {
      section.size = first.size;
      remember(a, section);
      continue;
    }
    if (unchanged(a, section)) continue;
    move_section_symbol(a, section);
    if (!section.nobits && relaxation.settle_numbers(section)) {
      remember(a, section);
      if (section.size > max_section_bytes) settled.push_back(i);
      continue;
    }
    relaxation.settle(section, true);
    (relaxation.has_slow() ? dependent : settled).push_back(i);
    if (!relaxation.has_slow()) remember(a, section);
  }
  bool moved = !dependent.empty();
  for (unsigned round = 0; moved; ++round) {
    moved = false;
    if (round > shrinking_rounds) relaxation.forbid_shrinking();
    for (u32 i : dependent) moved |= relaxation.settle(a.sections[i], false);
    if (a.diags.errors()) break;
    if (moved && round > max_rounds) {
      a.diags.error(a.sections[dependent.back()].loc,
                    "sizes in this section and in others depend on each other without end");
      break;
    }
  }
  if (a.padding.widens()) {
    for (const auto* list : {&settled, &dependent}) {
      for (u32 i : *list) {
        Section& section = a.sections[i];
        if (section.is_code() && !section.nobits && widen_instructions(a, section)) relaxation.place_again(section);
      }
    }
  }
  ++a.layout_version;
  for (const auto* list : {&settled, &dependent}) {
    for (u32 i : *list) {
      check_size(a, a.sections[i]);
      check_values(a, a.sections[i]);
    }
  }
}

}  // namespace xas
