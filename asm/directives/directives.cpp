// SPDX-License-Identifier: Apache-2.0
// The one table of directives.
#include "asm/directives/codeview.h"
#include "asm/directives/coff.h"
#include "asm/directives/debug.h"
#include "asm/directives/directive_table.h"
#include "asm/directives/topics.h"
#include "targets/nearest_name.h"
#include "targets/text.h"

namespace xas {

namespace {

constexpr std::span<const Directive> topics[] = {
    data_directives,        float_directives, section_directives, symbol_directives,    misc_directives,
    macro_directives,       cfi_directives,   dwarf_directives,   codeview_directives,  stack_map_directives,
    conditional_directives, bitstream_directives};

constexpr DirectiveTable<count_directives(topics)> table{topics};

const Directive* find_as_written(const Name& name, bool coff) {
  if (coff) {
    if (const Directive* d = find_coff_directive(name)) return d;
  }
  return table.find(name);
}

}  // namespace

const Directive* find_directive(const Name& name, bool coff) {
  if (const Directive* d = find_as_written(name, coff)) return d;
  constexpr u32 longest = 40;
  if (name.size > longest) return nullptr;
  char lower[longest];
  bool changed = false;
  for (u32 i = 0; i < name.size; ++i) {
    lower[i] = text::lower(name.p[i]);
    changed |= lower[i] != name.p[i];
  }
  if (!changed) return nullptr;
  return find_as_written({lower, name.size, hash_name({lower, name.size})}, coff);
}

void offer_directives(NearestName& nearest, bool coff) {
  if (coff) offer_coff_directives(nearest);
  for (const std::span<const Directive> topic : topics)
    for (const Directive& d : topic) nearest.offer(d.name);
}

}  // namespace xas
