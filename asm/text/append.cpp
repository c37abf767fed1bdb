// SPDX-License-Identifier: Apache-2.0
#include "asm/text/append.h"

#include <iterator>

namespace xas {

void append_formatted(std::string& out, fmt::string_view format, fmt::format_args arguments) {
  fmt::vformat_to(std::back_inserter(out), format, arguments);
}

}  // namespace xas
