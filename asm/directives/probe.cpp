// .pseudoprobe: a record of what a compiler has marked; asm/debug/pseudo_probe.cpp makes sections of them.
#include <fmt/format.h>

#include "asm/directives/directives.h"
#include "asm/read/parse.h"

namespace xas {

namespace {

/// Functions inlined into each other; the sections are written by going down as deep.
constexpr u32 max_inlinings = 1000;

bool parse_number(Reader& in, u64& value, std::string_view what) {
  skip_blanks(in);
  bool overflow = false;
  const char* const where = in.p;
  if (!scan_number(in.p, value, overflow)) {
    in.error_here(fmt::format("expected {}", what));
    return false;
  }
  if (overflow) in.error(where, fmt::format("{} does not fit in 64 bits", what));
  return !overflow;
}

}  // namespace

/// .pseudoprobe guid index type attributes [discriminator] { '@' guid ':' index } function
void directive_pseudoprobe(Reader& in, u32) {
  constexpr u64 largest_type = 15, largest_attributes = 7, with_discriminator = 4;
  PseudoProbes& all = in.program().pseudo_probes;
  PseudoProbe p{.discriminator = 0,
                .subsection = in.out.current->id,
                .pos = u32(in.out.current->size),
                .fragment = u32(in.out.current->fragments.size()),
                .first_inlining = u32(all.inlinings.size()),
                .inlining_count = 0,
                .loc = in.program().sources.statement_loc()};
  u64 type, attributes;
  if (!parse_number(in, p.guid, "the function's number") || !parse_number(in, p.index, "the probe's index")) return;
  if (!parse_number(in, type, "the probe's type") || !parse_number(in, attributes, "the probe's attributes")) return;
  if (type > largest_type || attributes > largest_attributes) {
    return in.error(fmt::format("the type goes up to {}, the attributes up to {}", largest_type, largest_attributes));
  }
  if (attributes & with_discriminator && !parse_number(in, p.discriminator, "the discriminator")) return;
  p.type = u8(type);
  p.attributes = u8(attributes);
  for (skip_blanks(in); *in.p == '@'; skip_blanks(in)) {
    ++in.p;
    ProbeInlining inlining;
    if (++p.inlining_count > max_inlinings)
      return in.error_here(fmt::format("functions are inlined deeper than the limit of {} levels", max_inlinings));
    if (!parse_number(in, inlining.guid, "the caller's number")) return;
    if (*in.p != ':') return in.error_here("expected ':' and the index of the call's probe");
    ++in.p;
    if (!parse_number(in, inlining.index, "the index of the call's probe")) return;
    all.inlinings.push_back(inlining);
  }
  if (parse_symbol(in, p.function, "the symbol of the function that the code is in")) all.probes.push_back(p);
}

}  // namespace xas
