// SPDX-License-Identifier: Apache-2.0
// Formatted text behind text. fmt::format_to would do the same, but with fmt 9 each file that calls it compiles all
// that can be formatted, floating point and all: two seconds a file.
#pragma once

#include <fmt/format.h>

#include <string>

namespace xas {

void append_formatted(std::string& out, fmt::string_view format, fmt::format_args arguments);

template <typename... Arguments>
void append(std::string& out, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  append_formatted(out, format, fmt::make_format_args(arguments...));
}

}  // namespace xas
