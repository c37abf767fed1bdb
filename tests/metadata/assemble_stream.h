// SPDX-License-Identifier: Apache-2.0
// The bytes that a text of .bs_* directives stands for: the assembler's, for tests of what has been printed as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xas/types.hpp"
#include "xas/xas.hpp"

namespace xas::bitstream {

/// What is wrong with a text, and in which line (0: in none).
struct TextError {
  u64 line = 0;  ///< from 1
  std::string message;
};

/// False, with `error`, if the assembler refuses the text.
inline bool assemble_text(std::string_view text, std::vector<u8>& bytes, TextError& error) {
  static Context context = [] {
    Context made;
    made.option("--target=x86_64-linux-gnu");
    made.option("-filetype=raw");
    return made;
  }();
  if (!context.assemble(text, "text")) {
    error = {0, context.error()};
    for (std::size_t i = 0; i < context.diagnostic_count(); ++i) {
      const xas_diagnostic& d = context.diagnostic(i);
      if (d.severity != XAS_WARNING) {
        error = {d.line, d.message};
        break;
      }
    }
    return false;
  }
  bytes.assign(context.object().begin(), context.object().end());
  return true;
}

}  // namespace xas::bitstream
