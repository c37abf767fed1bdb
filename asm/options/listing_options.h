// SPDX-License-Identifier: Apache-2.0
// What -a asks of a listing.
#pragma once

#include <string>

#include "xas/types.hpp"

namespace xas {

/// The letters behind -a.
enum ListingParts : u16 {
  listing_lines = 1,           ///< l
  listing_symbols = 2,         ///< s
  listing_no_forms = 4,        ///< n: no pages
  listing_source = 8,          ///< h: lines of the high-level source, and line markers count
  listing_no_debug = 16,       ///< d: no debug sections
  listing_no_skipped = 32,     ///< c: nothing that conditionals leave out
  listing_expansions = 64,     ///< m: the text of macros and loops
  listing_general = 128,       ///< g: versions and options first
};

struct ListingOptions {
  u16 parts = 0;        ///< ListingParts; 0: no listing
  u32 lhs_width = 1;    ///< words of data beside a line
  u32 lhs_width2 = 1;   ///< and on the lines that continue it
  u32 rhs_width = 100;  ///< characters of source
  u32 cont_lines = 4;   ///< lines that continue data
  std::string heading;  ///< what `g` shows, ready made
};

}  // namespace xas
