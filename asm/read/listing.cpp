// SPDX-License-Identifier: Apache-2.0
// Entries of the listing, collected while text is read.
//
// Lines are those of the file; only with `h` do line markers count, and do the lines of a loop have their own numbers.
#include "asm/program/listing.h"

#include <algorithm>

#include "asm/read/reader.h"

namespace xas {

u32 Listing::file_index(std::string_view name) {
  const auto [it, fresh] = file_index_.try_emplace(std::string(name), u32(files_.size()));
  if (fresh) files_.emplace_back(name);
  return it->second;
}

LineFinder::Place Listing::place(Streamer& out, const char* at) {
  return finder_.find(out, at, out.program.options.listing.parts & listing_source);
}

void Listing::line(Reader& reader) {
  if (reader.out.in_absolute_space()) return;
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

void Listing::loop_end(Reader& reader) {
  if (reader.out.in_absolute_space() || reader.macros.depth != 0) return;
  const char* const at =
      reader.p > reader.program().sources.current->begin && reader.p[-1] == '\n' ? reader.p - 1 : reader.p;
  add(reader, place(reader.out, at), at, false);
}

void Listing::skipped_line(Reader& reader, const char* at) {
  if (reader.out.in_absolute_space()) return;
  const bool own_text = reader.macros.depth != 0 && (reader.program().options.listing.parts & listing_expansions);
  const char* line = at;
  while (line > reader.program().sources.current->begin && line[-1] != '\n') --line;
  add(reader, place(reader.out, line), line, own_text);
}

void Listing::add(Reader& reader, LineFinder::Place place, const char* at, bool own_text) {
  const std::string_view section = reader.out.current_section().name;
  const bool is_debug = (reader.program().options.listing.parts & listing_no_debug) &&
                        (section.starts_with(".debug") || section.starts_with(".line"));
  if (is_debug && !entries_.empty()) entries_.back().is_debug = true;
  const u32 file = file_index(place.file);
  const bool from_input = place.file == reader.program().profile.standard_input;
  if (!own_text && place.line == last_line_ && file == last_file_) return;
  last_line_ = place.line;
  last_file_ = file;
  Entry& e = entries_.emplace_back(Entry{.loc = reader.program().sources.current->loc(at),
                                         .line = place.line,
                                         .file = file,
                                         .subsection = reader.out.current->id,
                                         .fragment = u32(reader.out.current->fragments.size()),
                                         .pos = reader.out.current->size,
                                         .text = none,
                                         .text_size = 0,
                                         .is_debug = is_debug});
  if (!own_text && !from_input) return;
  const void* newline = std::memchr(at, '\n', std::size_t(reader.program().sources.current->end - at));
  const char* end = newline ? static_cast<const char*>(newline) : reader.program().sources.current->end;
  std::string scrubbed;
  gnu_macro::scrub(reader.program(), {at, std::size_t(end - at)}, scrubbed, false);
  e.text = u32(texts_.size());
  if (own_text) texts_.append(reader.macros.depth, '>').push_back(' ');
  texts_ += scrubbed;
  e.text_size = u32(texts_.size()) - e.text;
  if (own_text) return;
  // Standard input: the lines of a comment are empty ones, and what follows it is on the last of them.
  const char* const first = skip_blanks(reader.program().chars, at);
  if (first[0] != '/' || first[1] != '*') return;
  const std::string_view rest(first + 2, std::size_t(reader.program().sources.current->end - first - 2));
  const std::size_t close = rest.find("*/");
  if (close == rest.npos) return;
  for (std::size_t n = rest.find('\n'); n < close; n = rest.find('\n', n + 1)) {
    Entry next = entries_.back();
    next.loc = reader.program().sources.current->loc(rest.data() + n + 1);
    next.line = ++last_line_;
    next.text = u32(texts_.size());
    next.text_size = 0;
    if (const std::size_t line_end = rest.find('\n', n + 1); line_end > close) {
      std::string behind;
      gnu_macro::scrub(reader.program(), rest.substr(close + 2, line_end - close - 2), behind, false);
      behind.erase(0, behind.find_first_not_of(' '));  // the comment itself is a blank, on its first line
      texts_ += behind;
      next.text_size = u32(behind.size());
    }
    entries_.push_back(next);
  }
}

void Listing::edict(ListingEdict edict, std::string text) {
  if (entries_.empty()) return;
  Entry& e = entries_.back();
  using enum ListingEdict;
  if (edict == nolist && e.edict == list) {
    e.edict = ListingEdict::none;
  } else if (edict == list && (e.edict == nolist || e.edict == nolist_next)) {
    e.edict = ListingEdict::none;
  } else {
    e.edict = edict;
  }
  if (edict != title && edict != subtitle) return;
  e.edict_text = u32(edict_texts_.size());
  edict_texts_.push_back(std::move(text));
}

void Listing::skip(const Program& program, bool skipped) {
  if (program.options.listing.parts & listing_no_skipped)
    edict(skipped ? ListingEdict::nolist_next : ListingEdict::list);
}

void Listing::source_file(std::string_view file) {
  if (!entries_.empty()) entries_.back().source_file = file_index(file);
}

void Listing::source(std::string_view file, u32 line) {
  if (entries_.empty()) return;
  if (!file.empty()) source_file(file);
  entries_.back().source_line = line;
}

}  // namespace xas
