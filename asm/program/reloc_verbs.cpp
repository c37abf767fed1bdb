// SPDX-License-Identifier: Apache-2.0
#include "asm/program/reloc_verbs.h"

#include <fmt/format.h>

namespace xas {

void emit_reloc(Streamer& out, Value offset, u32 type, Value value, SourceLoc loc) {
  if (out.program.profile.reloc_lists_section && offset.is_constant()) out.program.list_section(out.current_section());
  out.pin_dot(offset);
  out.pin_dot(value);
  out.program.add_reloc({.subsection = out.current->id, .offset = offset, .type = type, .value = value, .loc = loc});
}

void emit_hint(Streamer& out, const Value& offset, std::string_view name, const Value& value) {
  int type = -1;
  for (const char* prefix : {"R_X86_64_", "R_386_", "R_ARM_"}) {
    if (type < 0)
      type = out.program.target.relocation_number(fmt::format("{}{}", prefix, name), out.program.options.target.format);
  }
  const SourceLoc loc = out.program.sources.statement_loc();
  if (type < 0) return out.program.diags.error(loc, fmt::format("this target has no relocation {}", name));
  out.program.add_reloc(
      {.subsection = out.current->id, .offset = offset, .type = u32(type), .value = value, .loc = loc});
}

}  // namespace xas
