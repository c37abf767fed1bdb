// SPDX-License-Identifier: Apache-2.0
// Lines are those of the file; only with `h` do line markers count, and do the lines of a loop have their own numbers.
#include "asm/read/listing.h"

#include <algorithm>

#include "asm/read/reader.h"

namespace xas {

namespace {

LineFinder::Place place(Streamer& out, const char* at) {
  return out.program.listing.finder.find(out, at, out.program.options.listing.parts & listing_source);
}

void add(Reader& reader, LineFinder::Place place, const char* at, bool own_text) {
  Listing& listing = reader.program().listing;
  const std::string_view section = reader.out.current_section().name;
  const bool is_debug = (reader.program().options.listing.parts & listing_no_debug) &&
                        (section.starts_with(".debug") || section.starts_with(".line"));
  if (is_debug && !listing.entries.empty()) listing.entries.back().is_debug = true;
  const u32 file = listing.file_index(place.file);
  const bool from_input = place.file == reader.program().profile.standard_input;
  if (!own_text && place.line == listing.last_line && file == listing.last_file) return;
  listing.last_line = place.line;
  listing.last_file = file;
  if (reader.program().options.listing.parts && reader.program().cfi.in_use) end_initial_rules(reader.out);
  Listing::Entry& e = listing.entries.emplace_back(Listing::Entry{.loc = reader.program().sources.current->loc(at),
                                                                  .line = place.line,
                                                                  .file = file,
                                                                  .subsection = reader.out.current->id,
                                                                  .fragment = u32(reader.out.current->fragments.size()),
                                                                  .pos = reader.out.current->size,
                                                                  .text = Listing::none,
                                                                  .text_size = 0,
                                                                  .is_debug = is_debug});
  if (!own_text && !from_input) return;
  const void* newline = std::memchr(at, '\n', std::size_t(reader.program().sources.current->end - at));
  const char* end = newline ? static_cast<const char*>(newline) : reader.program().sources.current->end;
  std::string scrubbed;
  gnu_macro::scrub(reader.program(), {at, std::size_t(end - at)}, scrubbed, false);
  e.text = u32(listing.texts.size());
  if (own_text) listing.texts.append(reader.macros.depth, '>').push_back(' ');
  listing.texts += scrubbed;
  e.text_size = u32(listing.texts.size()) - e.text;
  if (own_text) return;
  // Standard input: the lines of a comment are empty ones, and what follows it is on the last of them.
  const char* const first = skip_blanks(reader.program().chars, at);
  if (first[0] != '/' || first[1] != '*') return;
  const std::string_view rest(first + 2, std::size_t(reader.program().sources.current->end - first - 2));
  const std::size_t close = rest.find("*/");
  if (close == rest.npos) return;
  for (std::size_t n = rest.find('\n'); n < close; n = rest.find('\n', n + 1)) {
    Listing::Entry next = listing.entries.back();
    next.loc = reader.program().sources.current->loc(rest.data() + n + 1);
    next.line = ++listing.last_line;
    next.text = u32(listing.texts.size());
    next.text_size = 0;
    if (const std::size_t line_end = rest.find('\n', n + 1); line_end > close) {
      std::string behind;
      gnu_macro::scrub(reader.program(), rest.substr(close + 2, line_end - close - 2), behind, false);
      behind.erase(0, behind.find_first_not_of(' '));  // the comment itself is a blank, on its first line
      listing.texts += behind;
      next.text_size = u32(behind.size());
    }
    listing.entries.push_back(next);
  }
}

/// The line of the first text that the cursor is on, or that the expansions there were asked for on.
u32 line_of_first_text(Reader& reader) {
  const Sources& sources = reader.program().sources;
  LineBytes& lines = reader.program().line_bytes;
  for (const OpenSource& o : sources.open)
    if (o.inner == SourceKind::include) return LineBytes::none;
  const SourceBuffer& text = sources.open.empty() ? *sources.current : *sources.open[0].buffer;
  if (!lines.text) {
    lines.text = &text;
    lines.counted = text.begin;
  }
  if (lines.text != &text) return LineBytes::none;
  const char* at = reader.p;
  if (!sources.open.empty()) {
    const SourceBuffer& expansion = sources.open.size() > 1 ? *sources.open[1].buffer : *sources.current;
    at = text.begin + (expansion.parent - text.base);
  }
  if (at < lines.counted) {
    lines.counted = text.begin;
    lines.newlines = 0;
  }
  lines.newlines += u32(std::count(lines.counted, at, '\n'));
  lines.counted = at;
  return lines.newlines;
}

void mark_statement(Reader& reader) {
  std::vector<LineBytes::Mark>& marks = reader.program().line_bytes.marks;
  const Subsection& current = *reader.out.current;
  const u32 line = reader.out.in_absolute_space() ? LineBytes::none : line_of_first_text(reader);
  if (!marks.empty() && marks.back().line == line && marks.back().subsection == current.id) return;
  marks.push_back({line, current.id, u32(current.fragments.size()), current.size});
}

}  // namespace

void list_statement(Reader& reader) {
  if (reader.program().line_bytes.on)
    mark_statement(reader);
  else if (reader.at_line_start)
    list_line(reader);
}

void mark_end(Program& program) {
  for (u32 id = 0; id < program.sections.subsections(); ++id) {
    const Subsection& sub = program.sections.sub(id);
    program.line_bytes.marks.push_back({LineBytes::none, id, u32(sub.fragments.size()), sub.size});
  }
}

void list_line(Reader& reader) {
  if (reader.program().line_bytes.on || reader.out.in_absolute_space()) return;
  const bool expansion = reader.program().sources.current->kind == BufferKind::expansion;
  const bool head =
      expansion && reader.p == reader.program().sources.current->begin;  // the end of the line that opened it
  const bool nested = reader.macros.depth != 0;
  const bool own_text = nested && (reader.program().options.listing.parts & listing_expansions);
  if (head && (own_text || !nested)) return;
  if (!expansion && reader.program().chars.is(*reader.p, char_blank) &&
      skip_blanks(reader.program().chars, reader.p) == reader.program().sources.current->end)
    return;
  const LineFinder::Place at = place(reader.out, reader.p);
  if (head && !at.round_starts) return;
  add(reader, at, reader.p, own_text);
}

void list_loop_end(Reader& reader) {
  if (reader.program().line_bytes.on || reader.out.in_absolute_space() || reader.macros.depth != 0) return;
  const char* const at =
      reader.p > reader.program().sources.current->begin && reader.p[-1] == '\n' ? reader.p - 1 : reader.p;
  add(reader, place(reader.out, at), at, false);
}

void list_skipped_line(Reader& reader, const char* at) {
  if (reader.program().line_bytes.on || reader.out.in_absolute_space()) return;
  const bool own_text = reader.macros.depth != 0 && (reader.program().options.listing.parts & listing_expansions);
  const char* line = at;
  while (line > reader.program().sources.current->begin && line[-1] != '\n') --line;
  add(reader, place(reader.out, line), line, own_text);
}

}  // namespace xas
