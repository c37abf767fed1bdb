// SPDX-License-Identifier: Apache-2.0
// What programs do with the objects of the corpus, as tests/corpus-objects/tools.py has measured it. tools.inc has a
// line for each object and format:
//
//     NAME FORMAT,... TOOL=RESULT ...
#include "asm/corpus/objects/sample.h"

namespace xas::corpus::objects {

namespace {

constexpr std::string_view lines[] = {
#include "asm/corpus/objects/tools.inc"
};

/// Takes the first word off `text`.
std::string_view word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view first = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return first;
}

bool lists(std::string_view formats, std::string_view format) {
  for (std::size_t at = 0; at < formats.size(); ++at) {
    const std::size_t end = std::min(formats.find(',', at), formats.size());
    if (formats.substr(at, end - at) == format) return true;
    at = end;
  }
  return false;
}

}  // namespace

std::vector<ToolResult> tool_results(std::string_view name, std::string_view format) {
  std::vector<ToolResult> results;
  for (std::string_view line : lines) {
    if (word(line) != name || !lists(word(line), format)) continue;
    while (!line.empty()) {
      const std::string_view entry = word(line);
      const std::size_t equals = entry.find('=');
      results.push_back({entry.substr(0, equals), entry.substr(equals + 1)});
    }
  }
  return results;
}

}  // namespace xas::corpus::objects
