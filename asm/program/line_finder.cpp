// SPDX-License-Identifier: Apache-2.0
// See line_finder.h.
#include "asm/program/line_finder.h"

#include <algorithm>

#include "asm/program/streamer.h"

namespace xas {

/// How many lines of the buffer end before `at`. Each open buffer is counted through once.
u32 LineFinder::newlines_before(std::size_t level, const SourceBuffer& buffer, const char* at) {
  if (tracked_.size() <= level) tracked_.resize(level + 1);
  Tracked& t = tracked_[level];
  if (t.buffer != &buffer) {
    const bool counted = buffer.kind == BufferKind::expansion;
    t = {.buffer = &buffer, .p = buffer.begin, .total = counted ? u32(std::count(buffer.begin, buffer.end, '\n')) : 0};
  } else if (at < t.p) {
    t.p = buffer.begin;
    t.newlines = 0;
  }
  t.newlines += u32(std::count(t.p, at, '\n'));
  t.p = at;
  return t.newlines;
}

LineFinder::Place LineFinder::find(Streamer& out, const char* at, bool logical) {
  const std::size_t top = out.program.sources.open.size();
  const auto buffer_at = [&](std::size_t level) {
    return level == top ? out.program.sources.current : out.program.sources.open[level].buffer;
  };
  const auto kind_of = [&](std::size_t level) { return out.program.sources.open[level - 1].inner; };
  // The innermost file; where it was left is within the line of the call, or just behind it.
  std::size_t level = top;
  while (level > 0 && kind_of(level) != SourceKind::include) --level;
  const SourceBuffer& file = *buffer_at(level);
  const char* in_file = level == top ? at : out.program.sources.open[level].p;
  if (level != top && in_file > file.begin && in_file[-1] == '\n') --in_file;
  const u32 newlines = newlines_before(level, file, in_file);
  Place result{file.name, file.first_line + newlines, false};
  if (!logical) return result;
  if (out.program.sources.markers()) {
    const Location l = out.program.sources.locate(file.loc(in_file));
    result = {l.file, l.line, false};
  }
  // Loops have lines of their own, up to the first macro.
  for (++level; level <= top && kind_of(level) == SourceKind::loop; ++level) {
    const SourceBuffer& loop = *buffer_at(level);
    const char* in_loop = level == top ? at : out.program.sources.open[level].p;
    result.round_starts = level == top && at == loop.begin;
    if (result.round_starts && out.program.sources.round == 1) return result;
    if (level != top && in_loop > loop.begin && in_loop[-1] == '\n') --in_loop;
    // The body ends where the line of the .endr, which is what `result` has, begins.
    const u32 lines = newlines_before(level, loop, in_loop), body = tracked_[level].total - 1;
    result.line += result.round_starts ? 0 : lines - 1 - body;
    if (!out.program.order.file_symbols.empty()) result.file = out.program.order.file_symbols.back().name;
  }
  return result;
}

}  // namespace xas
