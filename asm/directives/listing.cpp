// SPDX-License-Identifier: Apache-2.0
// Directives about the listing (-a). Without one they are read, and mean nothing.
#include <fmt/format.h>

#include "asm/directives/directives.h"
#include "asm/read/parse.h"

namespace xas {

/// .list, .nolist: lines are listed again, or not any more.
void directive_list(Reader& reader, u32 on) {
  if (reader.program().listing.on) reader.program().listing.edict(on ? ListingEdict::list : ListingEdict::nolist);
}

/// .eject (1): a new page. .nopage (0): no pages.
void directive_eject(Reader& reader, u32 eject) {
  if (eject) {
    if (reader.program().listing.on) reader.program().listing.edict(ListingEdict::eject);
  } else {
    reader.program().listing.paper_height = 0;
  }
}

/// .psize lines [, columns] (0), .llen columns (1)
void directive_page_size(Reader& reader, u32 width_only) {
  constexpr i64 highest = 1000, narrowest = 10;
  i64 number;
  const char* where = reader.p;
  if (!width_only) {
    if (!reader.absolute(number, "the size of a page")) return;
    if (number < 0 || number > highest) {
      reader.warning(where, fmt::format("pages have 0 to {} lines; this is taken as 0, which means no pages", highest));
      number = 0;
    }
    reader.program().listing.paper_height = u32(number);
    if (!accept_comma(reader)) return;
    where = reader.p;
  }
  if (!reader.absolute(number, "the width of a page")) return;
  if (number < narrowest || number > ~u32(0))
    return reader.error(where, fmt::format("pages are at least {} columns wide", narrowest));
  reader.program().listing.paper_width = u32(number);
}

/// .title "text" (0), .sbttl "text" (1); the quotes may be left out.
void directive_title(Reader& reader, u32 subtitle) {
  skip_blanks(reader);
  std::string text;
  if (*reader.p == '"') {
    const char* const begin = ++reader.p;
    while (*reader.p != '"' && *reader.p != '\n' && reader.p < reader.program().sources.current->end) ++reader.p;
    if (*reader.p != '"') return reader.error(begin, "a title ends in the line in which it begins");
    text.assign(begin, reader.p++);
  } else {
    const char* const begin = reader.p;
    reader.skip_statement();
    text.assign(begin, reader.p);
  }
  if (reader.program().listing.on)
    reader.program().listing.edict(subtitle ? ListingEdict::subtitle : ListingEdict::title, std::move(text));
}

}  // namespace xas
