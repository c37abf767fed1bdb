// SPDX-License-Identifier: Apache-2.0
// The one table of directives.
#include "asm/directives/codeview.h"
#include "asm/directives/coff.h"
#include "asm/directives/debug.h"
#include "asm/directives/directives.h"
#include "targets/nearest_name.h"

namespace xas {

namespace {

constexpr std::size_t directive_count =
    std::size(data_directives) + std::size(section_directives) + std::size(symbol_directives) +
    std::size(misc_directives) + std::size(float_directives) + std::size(macro_directives) +
    std::size(conditional_directives) + std::size(cfi_directives) + std::size(dwarf_directives) +
    std::size(codeview_directives) + std::size(stack_map_directives) + std::size(bitstream_directives);

constexpr DirectiveTable<directive_count> table{data_directives,        float_directives, section_directives,
                                                symbol_directives,      misc_directives,  macro_directives,
                                                conditional_directives, cfi_directives,   dwarf_directives,
                                                codeview_directives,    stack_map_directives, bitstream_directives};

}  // namespace

const Directive* find_directive(const Name& name, bool coff) {
  if (coff) {
    if (const Directive* d = find_coff_directive(name)) return d;
  }
  if (const Directive* d = table.find(name)) return d;
  constexpr u32 longest = 40;
  if (name.size > longest) return nullptr;
  char lower[longest];
  bool changed = false;
  for (u32 i = 0; i < name.size; ++i) {
    const char c = name.p[i];
    lower[i] = c >= 'A' && c <= 'Z' ? char(c | 0x20) : c;
    changed |= lower[i] != c;
  }
  if (!changed) return nullptr;
  const std::string_view text{lower, name.size};
  return table.find({lower, name.size, hash_name(text)});
}

void offer_directives(NearestName& nearest, bool coff) {
  if (coff) offer_coff_directives(nearest);
  for (const std::span<const Directive> directives :
       {std::span<const Directive>(data_directives), std::span<const Directive>(float_directives),
        std::span<const Directive>(section_directives), std::span<const Directive>(symbol_directives),
        std::span<const Directive>(misc_directives), std::span<const Directive>(macro_directives),
        std::span<const Directive>(conditional_directives), std::span<const Directive>(cfi_directives),
        std::span<const Directive>(dwarf_directives), std::span<const Directive>(codeview_directives),
        std::span<const Directive>(stack_map_directives), std::span<const Directive>(bitstream_directives)})
    for (const Directive& d : directives) nearest.offer(d.name);
}

}  // namespace xas
