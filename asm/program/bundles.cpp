// SPDX-License-Identifier: Apache-2.0
// Bundles: padding that keeps instructions, and locked runs of them, from crossing the border of a block (.bundle_*).
#include <fmt/format.h>

#include <algorithm>

#include "asm/program/streamer.h"

namespace xas {

u32 Streamer::begin_bundled() {
  const bool after_data = program.info.mapping.notes_data && is_behind_data();
  AlignFragment& align = add_fragment(AlignFragment{.nop_style = program.target.nop_style(), .after_data = after_data},
                                      program.sources.statement_loc());
  if (program.info.code.single_bundle_nops) {
    align.pattern_size = 1;
    align.pattern = u64(program.target.nop_fill());
  }
  return u32(current->fragments.size() - 1);
}

u64 Streamer::bundled_size(u32 number) const {
  const u64 limit = u64(1) << bundles.log2;
  u64 size = current->size - current->fragments[number].pos;
  for (u32 i = number + 1; i < current->fragments.size() && size <= limit; ++i) {
    const Fragment& f = current->fragments[i];
    if (f.kind == FragmentKind::insn) {
      const u16 form = f.as<InsnFragment>().form;
      u8 state = 0;  // branches count in their longest form
      while (program.target.relax_range(form, state).high != INT64_MAX) ++state;
      size += program.target.relax_size(form, state);
    }
  }
  return size;
}

bool Streamer::fits_bundle(u32 number, SourceLoc loc) {
  const u64 limit = u64(1) << bundles.log2, size = bundled_size(number);
  if (size <= limit) return true;
  program.diags.error(loc, fmt::format("these {} bytes do not fit in a bundle of {}", size, limit));
  return false;
}

void Streamer::end_bundled(u32 number, SourceLoc loc) {
  if (!fits_bundle(number, loc)) return;
  const u64 size = bundled_size(number);
  Section& section = current_section();
  section.log2_align = std::max(section.log2_align, bundles.log2);
  if (size <= 1) return;
  // The same as an alignment with a limit: padding as long as what follows would stay within the bundle is not made.
  AlignFragment& align = current->fragments[number].as<AlignFragment>();
  align.log2 = bundles.log2;
  align.max_skip = u32(size - 1);
}

}  // namespace xas
