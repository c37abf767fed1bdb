// SPDX-License-Identifier: Apache-2.0
#include "asm/program/reloc_verbs.h"

#include <fmt/format.h>

namespace xas {

namespace {

void emit_record(Streamer& out, RelocRecord r) {
  if (out.program.profile.reloc_lists_section && r.offset.is_constant())
    out.program.list_section(out.current_section());
  out.pin_dot(r.offset);
  out.pin_dot(r.value);
  r.subsection = out.current->id;
  out.program.add_reloc(r);
}

}  // namespace

void emit_reloc(Streamer& out, Value offset, u32 type, Value value, SourceLoc loc) {
  emit_record(out, {.subsection = 0, .offset = offset, .type = type, .value = value, .loc = loc});
}

void emit_relocated_field(Streamer& out, Value offset, u8 size, Value value, SourceLoc loc) {
  emit_record(out, {.subsection = 0, .offset = offset, .type = 0, .value = value, .loc = loc, .field_size = size});
}

void emit_hint(Streamer& out, const Value& offset, std::string_view name, const Value& value, bool at_addend) {
  int type = -1;
  for (const char* prefix : {"R_X86_64_", "R_386_", "R_ARM_"}) {
    if (type < 0)
      type = out.program.target.relocation_number(fmt::format("{}{}", prefix, name), out.program.options.target.format);
  }
  const SourceLoc loc = out.program.sources.statement_loc();
  if (type < 0) return out.program.diags.error(loc, fmt::format("this target has no relocation {}", name));
  out.program.add_reloc(
      {.subsection = out.current->id, .offset = offset, .type = u32(type), .value = value, .loc = loc,
       .at_addend = at_addend});
}

}  // namespace xas
