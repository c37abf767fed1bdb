// SPDX-License-Identifier: Apache-2.0
// .pseudoprobe: a record of what a compiler has marked; asm/debug/pseudo_probe_section.cpp makes sections of them.
#include <fmt/format.h>

#include "asm/directives/directives.h"
#include "asm/read/parse.h"

namespace xas {

namespace {

/// Functions inlined into each other; the sections are written by going down as deep.
constexpr u32 max_inlinings = 1000;

bool parse_number(Reader& reader, u64& value, std::string_view what) {
  skip_blanks(reader);
  bool overflow = false;
  const char* const where = reader.p;
  if (!scan_number(reader.p, value, overflow)) {
    reader.expected(what);
    return false;
  }
  if (overflow) reader.error(where, fmt::format("{} does not fit in 64 bits", what));
  return !overflow;
}

}  // namespace

/// .pseudoprobe guid index type attributes [discriminator] { '@' guid ':' index } function
void directive_pseudoprobe(Reader& reader, u32) {
  constexpr u64 largest_type = 15, largest_attributes = 7, with_discriminator = 4;
  PseudoProbes& all = reader.program().pseudo_probes;
  PseudoProbe p{.discriminator = 0,
                .subsection = reader.out.current->id,
                .pos = u32(reader.out.current->size),
                .fragment = u32(reader.out.current->fragments.size()),
                .first_inlining = u32(all.inlinings.size()),
                .inlining_count = 0,
                .loc = reader.program().sources.statement_loc()};
  u64 type, attributes;
  if (!parse_number(reader, p.guid, "the function's number") || !parse_number(reader, p.index, "the probe's index"))
    return;
  if (!parse_number(reader, type, "the probe's type") || !parse_number(reader, attributes, "the probe's attributes"))
    return;
  if (type > largest_type || attributes > largest_attributes) {
    return reader.error(
        fmt::format("the type goes up to {}, the attributes up to {}", largest_type, largest_attributes));
  }
  if (attributes & with_discriminator && !parse_number(reader, p.discriminator, "the discriminator")) return;
  p.type = u8(type);
  p.attributes = u8(attributes);
  for (skip_blanks(reader); *reader.p == '@'; skip_blanks(reader)) {
    ++reader.p;
    ProbeInlining inlining;
    if (++p.inlining_count > max_inlinings)
      return reader.error_here(fmt::format("functions are inlined deeper than the limit of {} levels", max_inlinings));
    if (!parse_number(reader, inlining.guid, "the caller's number")) return;
    if (*reader.p != ':') return reader.expected("':' and the index of the call's probe");
    ++reader.p;
    if (!parse_number(reader, inlining.index, "the index of the call's probe")) return;
    all.inlinings.push_back(inlining);
  }
  if (parse_symbol(reader, p.function, "the symbol of the function that the code is in")) all.probes.push_back(p);
}

}  // namespace xas
