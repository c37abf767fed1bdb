// SPDX-License-Identifier: Apache-2.0
// Diagnostics with their places found.
//
// An error inside a macro has two places: the line of the macro's body, where the text was written, and the line that
// invoked it. The first is given as the diagnostic's own, with the text as it came out of the expansion, since that is
// what was wrong; the second follows as a note, and so on outwards.

#include <fmt/format.h>

#include <algorithm>

#include "asm/diagnostics/render.h"
#include "asm/text/scan.h"

namespace xas {
namespace {

constexpr unsigned max_chain = 64;  // macro depth may be far beyond what anyone reads

}  // namespace

std::string shown(std::string_view message) {
  std::string text;
  u32 code = 0;
  for (std::size_t i = 0; i < message.size();) i += show_character(message.substr(i), text, code);
  return text;
}

/// The places that a report asks for. They are found in ascending order, since lines are counted from the last one that
/// was looked for: an error in a macro and its call would have them counted from the start each.
class Places {
 public:
  Places(const Diags& diags, const Sources& all) : sources(all) {
    for (const Diag& diag : diags.list()) {
      add(diag.loc);
      for (const Note& note : diag.notes) add(note.loc);
    }
    std::ranges::sort(found_, {}, &Found::loc);
    const auto same_place = [](const Found& a, const Found& b) { return a.loc == b.loc; };
    found_.erase(std::unique(found_.begin(), found_.end(), same_place), found_.end());
    for (Found& each : found_) each.location = sources.locate(each.loc);
  }

  Location locate(SourceLoc loc) const {
    const auto it = std::ranges::lower_bound(found_, loc, {}, &Found::loc);
    return it != found_.end() && it->loc == loc ? it->location : sources.locate(loc);
  }

  const Sources& sources;

 private:
  struct Found {
    SourceLoc loc;
    Location location;
  };

  /// A place, and those from which its text came.
  void add(SourceLoc loc) {
    for (unsigned depth = 0; loc && depth < max_chain; ++depth) {
      found_.push_back({loc, {}});
      const SourceBuffer* const buffer = sources.buffer_of(loc);
      if (!buffer) return;
      if (buffer->text_origin) found_.push_back({buffer->text_origin, {}});
      loc = buffer->parent;
    }
  }

  std::vector<Found> found_;
};

namespace {

/// File and line where the text at `loc` was written; column and text as they were assembled.
Location written_at(const Places& places, SourceLoc loc) {
  const Sources& sources = places.sources;
  Location place = places.locate(loc);
  const SourceBuffer* buffer = sources.buffer_of(loc);
  for (unsigned depth = 0; buffer && buffer->kind == BufferKind::expansion && depth < max_chain; ++depth) {
    SourceLoc origin = buffer->text_origin ? buffer->text_origin : buffer->parent;
    Location outer = places.locate(origin);
    place.file = outer.file;
    // Lines of a body count on from where it begins; lines that come from nowhere are those of the invocation.
    place.line = buffer->text_origin ? outer.line + place.line - 1 : outer.line;
    buffer = sources.buffer_of(origin);
  }
  return place;
}

/// Length of the name, number or string that begins at `column` of the line.
u32 token_length(std::string_view line, u32 column) {
  std::size_t at = column ? column - 1 : 0;
  if (at >= line.size()) return 1;
  std::size_t end = at;
  if (line[at] == '"') {
    for (++end; end < line.size() && line[end] != '"'; ++end) end += line[end] == '\\';
    return u32(std::min(end + 1, line.size()) - at);
  }
  if (line[end] == '%' || line[end] == '@') ++end;
  auto is_name = [](char c) {
    u8 lower = u8(c | 0x20);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '$' || u8(c) >= 128;
  };
  while (end < line.size() && is_name(line[end])) ++end;
  return std::max<u32>(1, u32(end - at));
}

}  // namespace

void Report::clear() {
  list_.clear();
  notes_.clear();
  texts_.clear();
  errors_ = warnings_ = shown_errors_ = 0;
}

void Report::add_error(const std::string& message) {
  xas_diagnostic d = {};
  d.severity = XAS_ERROR;
  d.message = texts_.emplace_back(shown(message)).c_str();
  d.file = "";
  d.length = 1;
  list_.push_back(d);
  ++errors_, ++shown_errors_;
}

xas_diagnostic Report::record(Severity severity, SourceLoc loc, const std::string& message, const Places& places) {
  xas_diagnostic d = {};
  d.severity = severity == Severity::error ? XAS_ERROR : severity == Severity::warning ? XAS_WARNING : XAS_NOTE;
  d.message = texts_.emplace_back(shown(message)).c_str();
  d.file = "";
  d.length = 1;
  Location place = loc ? written_at(places, loc) : Location{};
  if (place.line == 0) return d;
  d.file = texts_.emplace_back(place.file).c_str();
  d.line = place.line;
  d.column = place.text_column;
  if (!place.text.empty() && place.text.back() == '\r') {
    place.text.remove_suffix(1);
    d.column = std::min(d.column, u32(place.text.size()) + 1);
  }
  d.source_line = place.text.data();
  d.source_line_size = place.text.size();
  d.length = token_length(place.text, place.text_column);
  return d;
}

void Report::add_chain(SourceLoc loc, const Places& places, std::vector<xas_diagnostic>& notes) {
  const Sources& sources = places.sources;
  const SourceBuffer* buffer = sources.buffer_of(loc);
  for (unsigned depth = 0; buffer && buffer->parent && depth < max_chain; ++depth) {
    std::string message = buffer->kind == BufferKind::expansion
                              ? fmt::format("in expansion of {}, from here", buffer->name)
                              : std::string("included from here");
    notes.push_back(record(Severity::note, buffer->parent, message, places));
    buffer = sources.buffer_of(buffer->parent);
  }
}

void Report::fill(const Diags& diags, const Sources& sources) {
  clear();
  errors_ = diags.errors();
  warnings_ = diags.warnings();
  list_.reserve(diags.list().size());
  const Places places(diags, sources);
  for (const Diag& diag : diags.list()) {
    xas_diagnostic d = record(diag.severity, diag.loc, diag.message, places);
    std::vector<xas_diagnostic>& notes = notes_.emplace_back();
    for (const Note& note : diag.notes) notes.push_back(record(Severity::note, note.loc, note.message, places));
    if (diag.loc) add_chain(diag.loc, places, notes);
    d.notes = notes.data();
    d.note_count = notes.size();
    shown_errors_ += diag.severity == Severity::error;
    list_.push_back(d);
  }
}

}  // namespace xas
