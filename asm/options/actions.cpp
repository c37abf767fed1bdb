// SPDX-License-Identifier: Apache-2.0
// What options do: see actions.h.
//
// An option that a reference assembler ignores is ignored here too. One that would change the object, and is not
// available, is an error: an object other than the one asked for is worse than none.
#include "asm/options/actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <thread>

namespace xas::option_actions {

namespace {

template <typename Integer>
bool parse_number(Text text, Integer& value) {
  bool negative = !text.empty() && text[0] == '-';
  if (negative) text.remove_prefix(1);
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) {
    base = 2;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
    text.remove_prefix(1);
  }
  u64 number = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (code != std::errc() || end != text.data() + text.size()) return false;
  if (negative) number = -number;
  value = Integer(number);
  return sizeof(Integer) == 8 || u64(value) == number;
}

std::string not_a_number(Text value) { return fmt::format("'{}' is not a number that fits", value); }

}  // namespace

std::string ignore(Settings&, Row, Text) { return {}; }

std::string unavailable(Settings&, Row row, Text) { return fmt::format("not available: {}", row.help); }

std::string not_followed(Settings& s, Row row, Text) {
  s.warnings.push_back(fmt::format("option '{}' is ignored: {}", row.spelling, row.help));
  return {};
}

std::string to_target(Settings& s, Row row, Text value) {
  bool is_default = !row.values.empty() && value == row.values.substr(0, row.values.find(','));
  auto& extra = s.options.target.extra;
  std::erase_if(extra, [&](const auto& e) { return e.first == row.name(); });
  if (!is_default) extra.emplace_back(row.name(), value);
  return {};
}

std::string as_target_option(Settings& s, Text name, Text value) {
  std::erase_if(s.options.target.extra, [&](const auto& e) { return e.first == name; });
  s.options.target.extra.emplace_back(name, value);
  return {};
}

std::string to_aarch64(Settings& s, Row row, Text value) {
  s.implied_triple = "aarch64-linux-gnu";
  return to_target(s, row, value);
}

std::string to_arm(Settings& s, Row row, Text value) {
  s.implied_triple = "arm-linux-gnueabi";
  return to_target(s, row, value);
}

/// GNU as cuts the value where it stops being a number (a=1+1 is 1, a=b is 0); that is an error here, as in LLVM.
std::string define_symbol(Settings& s, Row, Text value) {
  std::size_t equals = value.find('=');
  if (equals == Text::npos || equals == 0) return "a definition has the form NAME=NUMBER";
  i64 number = 0;
  if (!parse_number(value.substr(equals + 1), number)) return not_a_number(value.substr(equals + 1));
  s.options.defsyms.emplace_back(value.substr(0, equals), number);
  return {};
}

/// The map that was given last is tried first.
std::string map_prefix(Settings& s, Row, Text value) {
  std::size_t equals = value.find('=');
  if (equals == Text::npos) return "a prefix map has the form OLD=NEW";
  s.options.prefix_map.emplace(s.options.prefix_map.begin(), value.substr(0, equals), value.substr(equals + 1));
  return {};
}

std::string add_include_dir(Settings& s, Row, Text value) {
  if (value.empty()) return "the name of the folder is empty";
  s.options.include_dirs.emplace_back(value);
  return {};
}

std::string set_output(Settings& s, Row, Text value) {
  if (value.empty()) return "the output has no name";
  s.program.output = value;
  s.program.output_given = true;
  return {};
}

std::string set_compression(Settings& s, Row, Text value) {
  s.options.compress = value == "none"       ? CompressDebug::none
                       : value == "zlib-gnu" ? CompressDebug::zlib_gnu
                       : value == "zstd"     ? CompressDebug::zstd
                                             : CompressDebug::zlib;
  return {};
}

std::string set_listing(Settings& s, Row, Text value) {
  constexpr Text letters = "cdghlmns";
  constexpr u16 parts[] = {listing_no_skipped, listing_no_debug,   listing_general,  listing_source,
                           listing_lines,      listing_expansions, listing_no_forms, listing_symbols};
  const std::size_t equals = value.find('=');
  for (char c : value.substr(0, equals)) {
    const std::size_t at = letters.find(c);
    if (at == Text::npos) return fmt::format("'{}' is no kind of listing; c d g h l m n s are", c);
    s.options.listing.parts |= parts[at];
  }
  if (!s.options.listing.parts) s.options.listing.parts = listing_lines | listing_source | listing_symbols;
  if (equals != Text::npos) s.program.listing = value.substr(equals + 1);
  return {};
}

std::string set_listing_size(Settings& s, u32 ListingOptions::*member, Text value) {
  constexpr u32 max = 10000;
  u32 n = 0;
  if (!parse_number(value, n) || n > max) return fmt::format("'{}' is not a number between 0 and {}", value, max);
  ListingOptions& l = s.options.listing;
  if (member != &ListingOptions::lhs_width2 || n > l.lhs_width) l.*member = n;
  l.lhs_width2 = std::max(l.lhs_width, l.lhs_width2);
  return {};
}

/// Beside its own levels GNU as takes the compilers' that it has no use for.
std::string set_optimization(Settings& s, Row, Text value) {
  int& level = s.options.target.optimize;
  if (value.empty())
    level = 1;
  else if (value == "s")
    level = 3;
  else if (value == "g" || value == "z" || value == "fast")
    level = 0;
  else if (value.size() == 1 && value[0] >= '0' && value[0] <= '9')
    level = std::min(value[0] - '0', 2);
  else
    return "it is one of -O0 -O1 -O2 -Os";
  return {};
}

/// -filetype= decides whether it is before or behind this.
std::string set_show_encoding(Settings& s, Row, Text) {
  if (!s.program.filetype_given) s.options.output = Options::Output::encodings;
  return {};
}

std::string set_filetype(Settings& s, Row, Text value) {
  if (value == "asm") {
    if (s.options.output == Options::Output::encodings) return {};
    return "xas prints instructions with -show-encoding before this, and no other assembly; -filetype=obj, "
           "-filetype=raw, "
           "-filetype=hex and -filetype=null are available";
  }
  s.program.filetype_given = true;
  s.program.no_output = value == "null";
  s.options.output = value == "raw"   ? Options::Output::raw
                     : value == "hex" ? Options::Output::hex
                                      : Options::Output::object;
  return {};
}

std::string set_debug_lines(Settings& s, Row, Text) {
  Options& o = s.options;
  o.debug_lines = true;
  o.stabs = o.codeview_lines = false;
  if (o.profile.llvm_options) return {};  // there the version is an option of its own
  o.dwarf_version = o.least_dwarf_version = 0;
  return {};
}

std::string set_stabs(Settings& s, Row row, Text) {
  s.options.stabs = true;
  s.options.codeview_lines = false;
  if (row.spelling.ends_with('+')) s.options.stabs_gnu = true;
  return {};
}

std::string set_codeview(Settings& s, Row, Text) {
  s.options.codeview_lines = true;
  s.options.stabs = false;
  return {};
}

/// It asks for a DWARF that knows of that version.
std::string set_cie_version(Settings& s, Row, Text value) {
  s.options.cie_version = u8(value[0] - '0');
  s.options.least_dwarf_version = std::max(s.options.least_dwarf_version, s.options.cie_version);
  return {};
}

/// To GNU as the last one of this and --no-warn counts; in LLVM --no-warn always does.
std::string set_fatal_warnings(Settings& s, Row, Text) {
  s.options.fatal_warnings = true;
  if (!s.options.profile.llvm_options) s.options.no_warnings = false;
  return {};
}

std::string set_dwarf_version(Settings& s, Row, Text value) {
  u8 version = 0;
  if (!parse_number(value, version) || version < 2 || version > 6) return "DWARF versions are 2 to 6";
  s.options.dwarf_version = version;
  return {};
}

std::string set_threads(Settings& s, Row, Text value) {
  u32 n = 0;
  if (!parse_number(value, n)) return not_a_number(value);
  s.options.threads.most = n ? n : std::max(1u, std::thread::hardware_concurrency());
  return {};
}

std::string set_max_errors(Settings& s, Row, Text value) {
  u32 n = 0;
  if (!parse_number(value, n)) return not_a_number(value);
  s.options.max_errors = n == 0 ? ~u32(0) : n;
  return {};
}

std::string set_section_symbols(Settings& s, Row, Text value) {
  using enum Options::SectionSymbols;
  s.options.section_symbols = value == "none" ? none : value == "internal" ? internal : all;
  return {};
}

std::string set_macro_depth(Settings& s, Row, Text value) {
  return parse_number(value, s.options.max_macro_depth) ? std::string() : not_a_number(value);
}

std::string set_release(Settings& s, Row, Text value) {
  return s.select_release(value) ? "" : "there is no such release";
}

std::string set_color(Settings& s, Row, Text value) {
  using enum ProgramOptions::Color;
  s.program.color = value == "auto" ? automatic : value == "never" || value == "false" ? never : always;
  return {};
}

std::string set_multibyte(Settings& s, Row, Text value) {
  s.options.multibyte_warn = value == "warn";
  s.options.multibyte_warn_symbols = value.size() > 5;
  return {};
}

std::string set_depfile(Settings& s, Row, Text value) {
  if (value.empty()) return "the file has no name";
  s.program.depfile = value;
  return {};
}

std::string make_dependencies(Settings& s, Row, Text value) {
  s.program.make_dependencies = true;
  if (!value.empty()) s.program.depfile = value;
  return {};
}

std::string make_user_dependencies(Settings& s, Row, Text) {
  s.program.make_dependencies = s.program.no_system_dependencies = true;
  return {};
}

/// GNU as ignores a -D without a name.
std::string to_preprocessor(Settings& s, Row row, Text value) {
  if (!value.empty()) s.program.preprocessor_options.push_back(fmt::format("{}{}", row.spelling, value));
  return {};
}

std::string set_diagnostics_format(Settings& s, Row, Text value) {
  using enum DiagnosticsFormat;
  s.program.format = value == "json" ? json : value == "gnu" ? gnu : value == "sarif" ? sarif : text;
  return {};
}

std::string set_relax_relocations(Settings& s, Row, Text value) {
  s.options.target.relax_relocations = value != "no" && value != "0" && value != "false";
  return {};
}

std::string set_intel_syntax(Settings& s, Row, Text value) {
  s.options.target.intel_syntax = value == "intel";
  return {};
}

std::string set_vendor(Settings& s, Row row, Text) {
  auto& extra = s.options.target.extra;
  std::erase_if(extra, [](const auto& e) { return e.first == "mintel64" || e.first == "mamd64"; });
  extra.emplace_back(row.name(), "");
  return {};
}

std::string set_triple(Settings& s, Row, Text value) {
  s.triple = value;
  return {};
}

std::string add_features(Settings& s, Row, Text value) {
  s.options.target.extra.emplace_back("mattr", value);
  return {};
}

}  // namespace xas::option_actions
