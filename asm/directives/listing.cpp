// Directives about the listing (-a). Without one they are read, and mean nothing.
#include <fmt/format.h>

#include "asm/directives/directives.h"
#include "asm/parse.h"

namespace xas {

/// .list, .nolist: lines are listed again, or not any more.
void directive_list(Assembler& a, u32 on) {
  if (a.listing.on) a.listing.edict(on ? ListingEdict::list : ListingEdict::nolist);
  a.skip_statement();
}

/// .eject (1): a new page. .nopage (0): no pages.
void directive_eject(Assembler& a, u32 eject) {
  if (eject) {
    if (a.listing.on) a.listing.edict(ListingEdict::eject);
  } else {
    a.listing.page_height(0);
  }
  a.skip_statement();
}

/// .psize lines [, columns] (0), .llen columns (1)
void directive_page_size(Assembler& a, u32 width_only) {
  constexpr i64 highest = 1000, narrowest = 10;
  i64 number;
  const char* where = a.p;
  if (!width_only) {
    if (!a.absolute(number, "the size of a page")) return;
    if (number < 0 || number > highest) {
      a.warning(where, fmt::format("pages have 0 to {} lines; this is taken as 0, which means no pages", highest));
      number = 0;
    }
    a.listing.page_height(number);
    if (!accept_comma(a)) return;
    where = a.p;
  }
  if (!a.absolute(number, "the width of a page")) return;
  if (number < narrowest || number > ~u32(0))
    return a.error(where, fmt::format("pages are at least {} columns wide", narrowest));
  a.listing.page_width(number);
}

/// .title "text" (0), .sbttl "text" (1); the quotes may be left out.
void directive_title(Assembler& a, u32 subtitle) {
  skip_blanks(a);
  std::string text;
  if (*a.p == '"') {
    const char* const begin = ++a.p;
    while (*a.p != '"' && *a.p != '\n' && a.p < a.source->end) ++a.p;
    if (*a.p != '"') return a.error(begin, "a title ends in the line in which it begins");
    text.assign(begin, a.p++);
  } else {
    const char* const begin = a.p;
    a.skip_statement();
    text.assign(begin, a.p);
  }
  if (a.listing.on) a.listing.edict(subtitle ? ListingEdict::subtitle : ListingEdict::title, std::move(text));
}

}  // namespace xas
