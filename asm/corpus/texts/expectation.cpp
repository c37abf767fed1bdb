// SPDX-License-Identifier: Apache-2.0
#include "asm/corpus/texts/expectation.h"

#include <algorithm>
#include <stdexcept>

namespace xas::corpus::texts {

Expectation::Expectation(std::initializer_list<std::string_view> options) {
  for (std::string_view lines : options) {
    while (!lines.empty()) {
      const std::string option(lines.substr(0, lines.find('\n')));
      lines.remove_prefix(std::min(option.size() + 1, lines.size()));
      if (!context_.option(option.c_str()))
        throw std::runtime_error(fmt::format("{}: {}", option, context_.error()));
    }
  }
}

/// An error in what a macro made has its line in the macro.
void Expectation::put_errors(Output& line) const {
  for (std::size_t i = 0; i < context_.diagnostic_count(); ++i) {
    const xas_diagnostic& d = context_.diagnostic(i);
    if (d.severity != XAS_ERROR) continue;
    line.json_begin();
    line.json_field("line", d.line);
    line.json_field("message", d.message);
    line.json_end();
  }
}

void Expectation::add(std::string_view name, std::string_view text) {
  const bool accepted = context_.assemble(text, "text");
  Output line(-1);
  line.json_begin();
  line.json_field("text", name);
  line.json_key("accepted");
  line.json_literal(accepted ? "true" : "false");
  line.json_key("errors");
  line.json_begin('[');
  if (!accepted) put_errors(line);
  line.json_end(']');
  line.json_end();
  lines_ += line.take() + '\n';
}

}  // namespace xas::corpus::texts
