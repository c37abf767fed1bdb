// SPDX-License-Identifier: Apache-2.0
// See codeview_lines.h.
#include "asm/program/codeview_lines.h"

#include "asm/program/streamer.h"

namespace xas {

void CodeViewSourceLines::statement(Streamer& out, std::string_view file, u32 line) {
  const Subsection& sub = *out.current;
  u32 number = rows.empty() ? 0 : rows.back().file;
  if (rows.empty() || files[number] != file) {
    const auto [entry, is_new] = file_numbers.try_emplace(std::string(file), u32(files.size()));
    if (is_new) files.emplace_back(file);
    number = entry->second;
  }
  rows.push_back({.subsection = sub.id,
                  .pos = u32(sub.size),
                  .fragment = u32(sub.fragments.size()),
                  .piece = sub.id < ends.size() ? u32(ends[sub.id].size()) : 0,
                  .file = number,
                  .line = line});
}

void CodeViewSourceLines::end_piece(const Subsection& sub) {
  if (ends.size() <= sub.id) ends.resize(sub.id + 1);
  ends[sub.id].push_back({u32(sub.size), u32(sub.fragments.size())});
}

}  // namespace xas
