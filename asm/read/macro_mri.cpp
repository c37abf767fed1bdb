// SPDX-License-Identifier: Apache-2.0
// MRI mode: what alignment statements and expansions bring. Behind an odd number of bytes, GNU as aligns what is not
// bytes.
#include <algorithm>
#include <utility>

#include "asm/directives/directives.h"
#include "asm/read/macro.h"
#include "asm/read/parse.h"
#include "targets/text.h"

namespace xas {

Name label_before(const Program& program) {
  const char* end = program.sources.statement;
  const auto back = [&] {
    while (end > program.sources.current->begin && program.chars.is(end[-1], char_blank)) --end;
  };
  back();
  if (end == program.sources.current->begin || *--end != ':') return {};
  back();
  const char* start = end;
  while (start > program.sources.current->begin && program.chars.is(start[-1], char_name)) --start;
  const u32 size = u32(end - start);
  return {start, size, hash_name({start, size})};
}

namespace {

/// GNU as counts from the last alignment, or what else had no fixed size, on.
void note_odd_bytes(Reader& reader) {
  const u64 from = reader.out.current->fragments.empty() ? 0 : reader.out.current->fragments.back().pos;
  if (std::exchange(reader.macros.after_bytes, false) && ((reader.out.current->size - from) & 1))
    reader.macros.after_odd_bytes = true;
}

}  // namespace

void align_in_mri_mode(Reader& reader) {
  note_odd_bytes(reader);
  if (!std::exchange(reader.macros.after_odd_bytes, false)) return;
  const u64 before = reader.out.current->size;
  reader.out.emit_align(1, reader.out.current_section().is_code() ? 0 : 1, 0, 0, reader.here());
  const Name label = label_before(reader.program());
  const SymbolId id = label.size ? reader.program().symbols.find(label) : no_symbol;
  if (id == no_symbol || reader.program().symbols[id].kind != SymbolKind::label ||
      reader.program().symbols[id].where != reader.out.current->id)
    return;
  Symbol& s = reader.program().symbols[id];
  if (s.value != before || s.fragment + 1 < reader.out.current->fragments.size()) return;
  s.value = reader.out.current->size;
  s.fragment = u32(reader.out.current->fragments.size());
}

void before_mri_statement(Reader& reader, const Name& name, const char* after) {
  constexpr std::string_view bytes[] = {".byte", ".dc.b", ".ds.b", ".dcb.b"};
  constexpr std::string_view indifferent[] = {".globl", ".global", ".xdef"};
  const auto is = [&](std::string_view directive) { return text::equals_ignoring_case(name.text(), directive); };
  const Directive* d = find_directive(name, reader.program().is_coff);
  const bool is_bytes = std::any_of(std::begin(bytes), std::end(bytes), is);
  const auto kind = d && d->handler == directive_conditional ? ConditionalKind(d->arg) : ConditionalKind::otherwise_if;
  const bool is_condition = kind != ConditionalKind::otherwise_if && kind != ConditionalKind::if_blank &&
                            kind != ConditionalKind::if_not_blank;
  note_odd_bytes(reader);
  if (!is_bytes && !is_condition && *after != '=' && !std::any_of(std::begin(indifferent), std::end(indifferent), is)) {
    align_in_mri_mode(reader);
  }
  reader.macros.after_bytes = is_bytes || (d && (d->handler == directive_space || d->handler == directive_units));
}

}  // namespace xas
