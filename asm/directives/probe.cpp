// .pseudoprobe: a record of what a compiler has marked; asm/pseudo_probe.cpp makes sections of them.
#include <fmt/format.h>

#include "asm/directives/directives.h"
#include "asm/parse.h"

namespace xas {

namespace {

/// Functions inlined into each other; the sections are written by going down as deep.
constexpr u32 max_inlinings = 1000;

bool parse_number(Assembler& a, u64& value, std::string_view what) {
  skip_blanks(a);
  bool overflow = false;
  const char* const where = a.p;
  if (!scan_number(a.p, value, overflow)) {
    a.error_here(fmt::format("expected {}", what));
    return false;
  }
  if (overflow) a.error(where, fmt::format("{} does not fit in 64 bits", what));
  return !overflow;
}

}  // namespace

/// .pseudoprobe guid index type attributes [discriminator] { '@' guid ':' index } function
void directive_pseudoprobe(Assembler& a, u32) {
  constexpr u64 largest_type = 15, largest_attributes = 7, with_discriminator = 4;
  PseudoProbes& all = a.pseudo_probes;
  PseudoProbe p{.discriminator = 0,
                .subsection = a.current->id,
                .pos = u32(a.current->size),
                .flex = u32(a.current->flexes.size()),
                .first_inlining = u32(all.inlinings.size()),
                .inlining_count = 0,
                .loc = a.loc_of(a.statement_start)};
  u64 type, attributes;
  if (!parse_number(a, p.guid, "the function's number") || !parse_number(a, p.index, "the probe's index")) return;
  if (!parse_number(a, type, "the probe's type") || !parse_number(a, attributes, "the probe's attributes")) return;
  if (type > largest_type || attributes > largest_attributes) {
    return a.error(a.statement_start,
                   fmt::format("the type goes up to {}, the attributes up to {}", largest_type, largest_attributes));
  }
  if (attributes & with_discriminator && !parse_number(a, p.discriminator, "the discriminator")) return;
  p.type = u8(type);
  p.attributes = u8(attributes);
  for (skip_blanks(a); *a.p == '@'; skip_blanks(a)) {
    ++a.p;
    ProbeInlining inlining;
    if (++p.inlining_count > max_inlinings)
      return a.error_here(fmt::format("functions are inlined deeper than the limit of {} levels", max_inlinings));
    if (!parse_number(a, inlining.guid, "the caller's number")) return;
    if (*a.p != ':') return a.error_here("expected ':' and the index of the call's probe");
    ++a.p;
    if (!parse_number(a, inlining.index, "the index of the call's probe")) return;
    all.inlinings.push_back(inlining);
  }
  if (parse_symbol(a, p.function, "the symbol of the function that the code is in")) all.probes.push_back(p);
}

}  // namespace xas
