// Directives about the listing (-a). Without one they are read, and mean nothing.
#include <fmt/format.h>

#include "asm/directives/directives.h"
#include "asm/read/parse.h"

namespace xas {

/// .list, .nolist: lines are listed again, or not any more.
void directive_list(Reader& in, u32 on) {
  if (in.program().listing.on) in.program().listing.edict(on ? ListingEdict::list : ListingEdict::nolist);
  in.skip_statement();
}

/// .eject (1): a new page. .nopage (0): no pages.
void directive_eject(Reader& in, u32 eject) {
  if (eject) {
    if (in.program().listing.on) in.program().listing.edict(ListingEdict::eject);
  } else {
    in.program().listing.page_height(0);
  }
  in.skip_statement();
}

/// .psize lines [, columns] (0), .llen columns (1)
void directive_page_size(Reader& in, u32 width_only) {
  constexpr i64 highest = 1000, narrowest = 10;
  i64 number;
  const char* where = in.p;
  if (!width_only) {
    if (!in.absolute(number, "the size of a page")) return;
    if (number < 0 || number > highest) {
      in.warning(where, fmt::format("pages have 0 to {} lines; this is taken as 0, which means no pages", highest));
      number = 0;
    }
    in.program().listing.page_height(number);
    if (!accept_comma(in)) return;
    where = in.p;
  }
  if (!in.absolute(number, "the width of a page")) return;
  if (number < narrowest || number > ~u32(0))
    return in.error(where, fmt::format("pages are at least {} columns wide", narrowest));
  in.program().listing.page_width(number);
}

/// .title "text" (0), .sbttl "text" (1); the quotes may be left out.
void directive_title(Reader& in, u32 subtitle) {
  skip_blanks(in);
  std::string text;
  if (*in.p == '"') {
    const char* const begin = ++in.p;
    while (*in.p != '"' && *in.p != '\n' && in.p < in.program().sources.current->end) ++in.p;
    if (*in.p != '"') return in.error(begin, "a title ends in the line in which it begins");
    text.assign(begin, in.p++);
  } else {
    const char* const begin = in.p;
    in.skip_statement();
    text.assign(begin, in.p);
  }
  if (in.program().listing.on)
    in.program().listing.edict(subtitle ? ListingEdict::subtitle : ListingEdict::title, std::move(text));
}

}  // namespace xas
