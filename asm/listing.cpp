// Entries of the listing, collected while text is read.
//
// Which line of which file an entry belongs to is GNU as's answer: of an expansion the line of the call, of a loop that of
// its .endr; only with `h` do line markers count, and do the lines of a loop have their own numbers (GNU as puts a
// .linefile directive in front of each round, which is a line too).
#include "asm/listing.h"

#include <algorithm>

#include "asm/assembler.h"

namespace xas {

u32 Listing::file_index(std::string_view name) {
  const auto [it, fresh] = file_index_.try_emplace(std::string(name), u32(files_.size()));
  if (fresh) files_.emplace_back(name);
  return it->second;
}

/// How many lines of the buffer end before `at`. Each open buffer is counted through once.
u32 Listing::newlines_before(std::size_t level, const SourceBuffer& buffer, const char* at) {
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

Listing::Place Listing::place(Assembler& a, const char* at, bool& round_starts) {
  const std::size_t top = a.open_sources.size();
  const auto buffer_at = [&](std::size_t level) { return level == top ? a.source : a.open_sources[level].buffer; };
  const auto kind_of = [&](std::size_t level) { return a.open_sources[level - 1].inner; };
  // The innermost file; where it was left is within the line of the call, or just behind it.
  std::size_t level = top;
  while (level > 0 && kind_of(level) != SourceKind::include) --level;
  const SourceBuffer& file = *buffer_at(level);
  const char* in_file = level == top ? at : a.open_sources[level].p;
  if (level != top && in_file > file.begin && in_file[-1] == '\n') --in_file;
  const u32 newlines = newlines_before(level, file, in_file);
  Place result{file.name, file.first_line + newlines};
  const bool logical = a.options.listing.parts & listing_source;
  if (!logical) return result;
  if (a.sources.markers()) {
    const Location l = a.sources.locate(file.loc(in_file));
    result = {l.file, l.line};
  }
  // Loops have lines of their own, up to the first macro.
  for (++level; level <= top && kind_of(level) == SourceKind::loop; ++level) {
    const SourceBuffer& loop = *buffer_at(level);
    const char* in_loop = level == top ? at : a.open_sources[level].p;
    round_starts = level == top && at == loop.begin;
    if (round_starts && a.macros.loops.back().next == 1) return result;
    if (level != top && in_loop > loop.begin && in_loop[-1] == '\n') --in_loop;
    // The body ends where the line of the .endr, which is what `result` has, begins.
    const u32 lines = newlines_before(level, loop, in_loop), body = tracked_[level].total - 1;
    result.line += round_starts ? 0 : lines - 1 - body;
    if (!a.file_symbols.empty()) result.file = a.file_symbols.back().name;
  }
  return result;
}

void Listing::line(Assembler& a) {
  if (a.in_absolute_space()) return;
  const bool expansion = a.source->kind == BufferKind::expansion;
  const bool head = expansion && a.p == a.source->begin;  // the end of the line that opened it
  const bool nested = a.macros.depth != 0;
  const bool own_text = nested && (a.options.listing.parts & listing_expansions);
  if (head && (own_text || !nested)) return;
  if (!expansion && a.chars.is(*a.p, char_blank) && skip_blanks(a.chars, a.p) == a.source->end) return;
  bool round_starts = false;
  const Place at = place(a, a.p, round_starts);
  if (head && !round_starts) return;
  add(a, at, a.p, own_text);
}

void Listing::loop_end(Assembler& a) {
  if (a.in_absolute_space() || a.macros.depth != 0) return;
  bool round_starts = false;
  const char* const at = a.p > a.source->begin && a.p[-1] == '\n' ? a.p - 1 : a.p;
  add(a, place(a, at, round_starts), at, false);
}

void Listing::skipped_line(Assembler& a, const char* at) {
  if (a.in_absolute_space()) return;
  const bool own_text = a.macros.depth != 0 && (a.options.listing.parts & listing_expansions);
  bool round_starts = false;
  const char* line = at;
  while (line > a.source->begin && line[-1] != '\n') --line;
  add(a, place(a, line, round_starts), line, own_text);
}

void Listing::add(Assembler& a, Place place, const char* at, bool own_text) {
  const std::string_view section = a.current_section().name;
  const bool is_debug = (a.options.listing.parts & listing_no_debug) &&
                        (section.starts_with(".debug") || section.starts_with(".line"));
  if (is_debug && !entries_.empty()) entries_.back().is_debug = true;
  const u32 file = file_index(place.file);
  const bool from_input = place.file == a.profile.standard_input;
  if (!own_text && place.line == last_line_ && file == last_file_) return;
  last_line_ = place.line;
  last_file_ = file;
  Entry& e = entries_.emplace_back(Entry{.loc = a.source->loc(at),
                                         .line = place.line,
                                         .file = file,
                                         .subsection = a.current->id,
                                         .flex = u32(a.current->flexes.size()),
                                         .pos = a.current->size,
                                         .text = none,
                                         .text_size = 0,
                                         .is_debug = is_debug});
  if (!own_text && !from_input) return;
  const void* newline = std::memchr(at, '\n', std::size_t(a.source->end - at));
  const char* end = newline ? static_cast<const char*>(newline) : a.source->end;
  std::string scrubbed;
  gnu_macro::scrub(a, {at, std::size_t(end - at)}, scrubbed, false);
  e.text = u32(texts_.size());
  if (own_text) texts_.append(a.macros.depth, '>').push_back(' ');
  texts_ += scrubbed;
  e.text_size = u32(texts_.size()) - e.text;
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

void Listing::skip(const Assembler& a, bool skipped) {
  if (a.options.listing.parts & listing_no_skipped) edict(skipped ? ListingEdict::nolist_next : ListingEdict::list);
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
