// SPDX-License-Identifier: Apache-2.0
#include "asm/lsp/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <new>

#include "asm/context.h"
#include "targets/text.h"

namespace xas::lsp {

namespace {

constexpr u32 lines_with_options = 10;
constexpr std::string_view options_mark = "xas-options:";

/// What "xas-options:" in the first lines says.
std::vector<std::string> options_in(const Text& text) {
  std::vector<std::string> options;
  for (u32 i = 0; i < std::min(text.line_count(), lines_with_options); ++i) {
    std::string_view line = text.line(i);
    const std::size_t at = line.find(options_mark);
    if (at == line.npos) continue;
    line.remove_prefix(at + options_mark.size());
    while (!line.empty()) {
      const std::size_t begin = line.find_first_not_of(" \t");
      if (begin == line.npos) break;
      line.remove_prefix(begin);
      const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
      if (line.substr(0, end) != "*/") options.emplace_back(line.substr(0, end));
      line.remove_prefix(end);
    }
  }
  return options;
}

/// The document's own diagnostic, or a note of how another file was reached from it; null if there is none.
const xas_diagnostic* place_in(const xas_diagnostic& d, std::string_view file) {
  if (d.file == file && d.line) return &d;
  for (std::size_t i = 0; i < d.note_count; ++i)
    if (const xas_diagnostic* place = place_in(d.notes[i], file)) return place;
  return nullptr;
}

Range range_of(const Text& text, const xas_diagnostic& d) {
  const u32 line = std::min(d.line, text.line_count()) - 1;
  const std::size_t begin = d.column ? d.column - 1 : 0;
  return text.range(line, begin, begin + std::max<u32>(d.length, 1));
}

Problem problem_of(const Text& text, const xas_diagnostic& d, std::string_view file) {
  Problem p;
  p.severity = d.severity == XAS_ERROR ? Problem::error : Problem::warning;
  p.message = d.message;
  const xas_diagnostic* const place = place_in(d, file);
  if (place) p.range = range_of(text, *place);
  if (place != &d && d.line) p.message = fmt::format("{}:{}: {}", d.file, d.line, d.message);
  for (std::size_t i = 0; i < d.note_count; ++i) {
    const xas_diagnostic& note = d.notes[i];
    if (note.file == file && note.line)
      p.related.push_back({range_of(text, note), note.message});
    else
      p.message += fmt::format("\n{}", note.message);
  }
  return p;
}

/// The bytes that a listing shows, by the document's lines. A line of it: number, address, bytes, a tab, the text.
std::vector<std::string> bytes_of(const Text& text, std::string_view listing) {
  std::vector<std::string> bytes(text.line_count());
  u32 current = 0;
  while (!listing.empty()) {
    const std::size_t end = std::min(listing.find('\n'), listing.size());
    std::string_view line = listing.substr(0, end);
    listing.remove_prefix(std::min(end + 1, listing.size()));
    const std::size_t tab = line.find('\t');
    const std::string_view left = line.substr(0, tab), right = tab == line.npos ? "" : line.substr(tab + 1);
    u32 number = 0;
    const std::size_t first = std::min(left.find_first_not_of(' '), left.size());
    const auto [behind, wrong] = std::from_chars(left.data() + first, left.data() + left.size(), number);
    if (wrong != std::errc() || number == 0 || number > bytes.size()) continue;
    // Lines of other files, and what macros make of the one before.
    const bool is_own = tab != line.npos && right == text.line(number - 1);
    if (is_own)
      current = number;
    else if (number != current || !(tab == line.npos || right.starts_with('>')))
      continue;
    std::string_view columns(behind, std::size_t(left.data() + left.size() - behind));
    // An address is there where the line goes on with it at once; where only bytes go on, blanks are in its place.
    if (columns.size() < 6) continue;
    columns.remove_prefix(1);
    if (columns[0] != ' ') columns.remove_prefix(std::min(columns.find(' '), columns.size()));
    std::string& to = bytes[current - 1];
    unsigned digits = 0;
    for (const char c : columns) {
      if (c == ' ') continue;
      if (digits++ % 2 == 0 && !to.empty()) to += ' ';
      to += text::lower(c);
    }
  }
  return bytes;
}

/// The text's first choice of a syntax of x86.
bool chooses_intel(const Text& text, bool otherwise) {
  for (u32 i = 0; i < text.line_count(); ++i) {
    const std::string_view line = text.line(i);
    const std::size_t at = line.find_first_not_of(" \t");
    if (at == line.npos || line[at] != '.') continue;
    if (line.substr(at).starts_with(".intel_syntax")) return true;
    if (line.substr(at).starts_with(".att_syntax")) return false;
  }
  return otherwise;
}

}  // namespace

Analysis analyse(const Text& text, const std::string& path, const Settings& settings) {
  Analysis result;
  const std::unique_ptr<xas_context, decltype(&xas_destroy)> owner(xas_create(), &xas_destroy);
  xas_context* const context = owner.get();
  if (!context) throw std::bad_alloc();
  const auto complain = [&](std::string message) {
    result.problems.push_back({Problem::error, text.range(0, 0, text.line(0).size()), std::move(message), {}});
  };
  for (const std::vector<std::string>& options : {settings.options, options_in(text)})
    for (const std::string& option : options)
      if (xas_set_option(context, option.c_str(), nullptr) != XAS_OK) complain(xas_error(context));
  const std::size_t slash = path.rfind('/');
  if (slash != path.npos) xas_set_option(context, "-I", path.substr(0, slash).c_str());
  xas_set_option(context, "-almn", nullptr);
  xas_set_option(context, "--listing-lhs-width", "4");
  xas_set_option(context, "--listing-cont-lines", "64");
  // Whoever is typing has not ended the last line yet.
  std::string ended(text.all());
  if (!ended.ends_with('\n')) ended += '\n';
  const bool assembled = xas_assemble(context, ended.data(), ended.size(), path.c_str()) == XAS_OK;
  const std::size_t count = xas_diagnostic_count(context);
  for (std::size_t i = 0; i < count; ++i)
    result.problems.push_back(problem_of(text, *xas_diagnostic_at(context, i), path));
  if (!assembled && count == 0 && *xas_error(context)) complain(xas_error(context));
  std::size_t size = 0;
  const char* const listing = assembled ? xas_listing(context, &size) : nullptr;
  result.bytes = bytes_of(text, {listing, listing ? size : 0});
  result.target = context->options.target;
  result.llvm = context->settings.release->family == "llvm";
  result.intel_syntax = chooses_intel(text, result.target.intel_syntax);
  return result;
}

}  // namespace xas::lsp
