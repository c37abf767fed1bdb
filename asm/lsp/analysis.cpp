// SPDX-License-Identifier: Apache-2.0
#include "asm/lsp/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <new>

#include "asm/context.h"

namespace xas::lsp {

namespace {

// What one analysis may take, so that the server answers (docs/editors.md)
constexpr u64 max_expansion_bytes = u64(1) << 24, max_source_bytes = u64(1) << 27;
constexpr u32 max_errors = 1000;

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

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{}{:02x}", text.empty() ? "" : " ", u8(c));
  return text;
}

/// The line of the document that a place is on, or that the expansions there were asked for on; line_count if none.
std::size_t line_of(const Program& program, SourceLoc loc, const Text& text) {
  const SourceBuffer* buffer;
  while ((buffer = program.sources.buffer_of(loc)) && buffer->parent) loc = buffer->parent;
  if (!buffer || buffer != program.line_bytes.text) return text.line_count();
  return std::size_t(std::count(buffer->begin, buffer->begin + (loc - buffer->base), '\n'));
}

/// The bytes of lines. Those with errors have none.
std::vector<std::string> bytes_of(const Text& text, const Program& program) {
  std::vector<std::string> bytes(text.line_count());
  const std::vector<std::string>& made = program.line_bytes.first;
  for (std::size_t i = 0; i < std::min(bytes.size(), made.size()); ++i) bytes[i] = hex(made[i]);
  for (const Diag& d : program.diags.list()) {
    if (d.severity != Severity::error) continue;
    if (const std::size_t line = line_of(program, d.loc, text); line < bytes.size()) bytes[line].clear();
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
  Options& asked = context->settings.options;
  asked.output = Options::Output::lines;
  asked.listing = {};
  asked.max_expansion_bytes = max_expansion_bytes;
  asked.sources = {.bytes = max_source_bytes, .regular_files = true};
  asked.max_errors = std::min(asked.max_errors, max_errors);
  // Whoever is typing has not ended the last line yet.
  std::string ended(text.all());
  if (!ended.ends_with('\n')) ended += '\n';
  const xas_status status = xas_assemble(context, ended.data(), ended.size(), path.c_str());
  if (status == XAS_OUT_OF_MEMORY)
    complain(fmt::format("this takes more memory to assemble than the server may have, {} bytes", max_memory));
  const std::size_t count = xas_diagnostic_count(context);
  for (std::size_t i = 0; i < count; ++i)
    result.problems.push_back(problem_of(text, *xas_diagnostic_at(context, i), path));
  if (status == XAS_BAD_OPTION && count == 0) complain(xas_error(context));
  if (context->reader) result.bytes = bytes_of(text, context->reader->program());
  result.bytes.resize(text.line_count());
  result.target = context->options.target;
  result.llvm = context->settings.release->family == "llvm";
  result.intel_syntax = chooses_intel(text, result.target.intel_syntax);
  return result;
}

}  // namespace xas::lsp
