// SPDX-License-Identifier: Apache-2.0
// What has to be true of sizes that layout has found: they fit into the section, and their expressions make sense.
#include <fmt/format.h>

#include <algorithm>

#include "asm/layout/layout.h"
#include "asm/program/program.h"

namespace xas {

namespace {

/// Sizes were added up modulo 2^64; this tells whether that was right, and within the limit.
void check_size(Program& program, Section& section) {
  u64 total = 0;
  bool overflow = false;
  SourceLoc where = section.loc;
  const u64 limit = section.absolute ? ~u64(0) : program.section_limit(section.nobits);
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
  program.diags.error(where, beyond_limit(section, limit));
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
    case FragmentKind::grown:
    case FragmentKind::align: return;
    case FragmentKind::leb:
      if (r.kind == Resolved::number) return;
      problem = "a LEB128 number must be known when the object is made" + program.values.explain_unknown(f.value());
      break;
    case FragmentKind::fill:
    case FragmentKind::nops:
      if (r.kind != Resolved::number) {
        problem =
            "the repeat count must be known when the object is made" + program.values.explain_unknown(f.value());
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

/// The text asks for no-ops that are longer than the processor's.
void check_longest(Program& program, const Fragment& f) {
  const NopsFragment& nops = f.as<NopsFragment>();
  const unsigned most = program.target.longest_nop(nops.nop_style);
  if (nops.longest <= most || f.size == 0) return;
  program.diags.error(f.loc, fmt::format("the largest no-op has {} bytes here, not {}", most, nops.longest));
}

void check_values(Program& program, Section& section) {
  for (u32 id = section.first; id != ~u32(0); id = program.sections.sub(id).next) {
    Subsection& sub = program.sections.sub(id);
    for (Fragment& f : sub.fragments) {
      if (f.kind == FragmentKind::insn || f.kind == FragmentKind::align || f.kind == FragmentKind::padding ||
          f.kind == FragmentKind::piece || f.kind == FragmentKind::grown)
        continue;
      if (f.kind == FragmentKind::leb && f.as<LebFragment>().number.is_constant()) continue;
      if (f.kind == FragmentKind::nops) check_longest(program, f);
      check_value(program, section, sub, f);
    }
  }
}

}  // namespace

void check_sizes(Program& program, Section& section) {
  check_size(program, section);
  check_values(program, section);
}

}  // namespace xas
