// SPDX-License-Identifier: Apache-2.0
// What directives say of the listing: see listing.h.
#include "asm/program/listing.h"

#include <utility>

#include "asm/program/program.h"

namespace xas {

u32 Listing::file_index(std::string_view name) {
  const auto [it, fresh] = file_numbers.try_emplace(std::string(name), u32(files.size()));
  if (fresh) files.emplace_back(name);
  return it->second;
}

void Listing::edict(ListingEdict edict, std::string text) {
  if (entries.empty()) return;
  Entry& e = entries.back();
  using enum ListingEdict;
  if (edict == nolist && e.edict == list) {
    e.edict = ListingEdict::none;
  } else if (edict == list && (e.edict == nolist || e.edict == nolist_next)) {
    e.edict = ListingEdict::none;
  } else {
    e.edict = edict;
  }
  if (edict != title && edict != subtitle) return;
  e.edict_text = u32(edict_texts.size());
  edict_texts.push_back(std::move(text));
}

void Listing::skip(const Program& program, bool skipped) {
  if (program.options.listing.parts & listing_no_skipped)
    edict(skipped ? ListingEdict::nolist_next : ListingEdict::list);
}

void Listing::source_file(std::string_view file) {
  if (!entries.empty()) entries.back().source_file = file_index(file);
}

void Listing::source(std::string_view file, u32 line) {
  if (entries.empty()) return;
  if (!file.empty()) source_file(file);
  entries.back().source_line = line;
}

}  // namespace xas
