// SPDX-License-Identifier: Apache-2.0
// CodeView while it is collected: its string table, and the lines of a function.
#include "asm/program/codeview.h"

namespace xas {

u32 CodeView::add_string(const std::string& s) {
  const auto [it, is_new] = string_offsets.try_emplace(s, u32(strings.size()));
  if (is_new) strings.append(s).push_back('\0');
  return it->second;
}

std::vector<CodeViewLine> codeview_lines(const CodeView& cv, u32 id) {
  std::vector<CodeViewLine> out;
  const u32 function = cv.functions.find(id);
  if (function == no_function) return out;
  const CodeViewFunction& f = cv.functions[function];
  for (u32 i = f.first; i < f.end; ++i) {
    const CodeViewLine& line = cv.lines[i];
    if (line.function == function) {
      out.push_back(line);
      continue;
    }
    const CodeViewPlace* const at = cv.functions.place_in(function, line.function);
    if (!at) continue;
    // A long inlined function is one line of this one.
    if (!out.empty()) {
      const CodeViewPlace& last = out.back().place;
      if (last.file == at->file && last.line == at->line && last.column == at->column) continue;
    }
    out.push_back({line.label, function, *at, false});
  }
  return out;
}

}  // namespace xas
