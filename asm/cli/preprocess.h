// SPDX-License-Identifier: Apache-2.0
// The C preprocessor, run before an input is assembled.
#pragma once

#include <string>
#include <vector>

namespace xas {
struct ProgramOptions;
struct Settings;
}  // namespace xas

namespace xas::cli {

/// Whether the inputs are to be preprocessed: --preprocess says so, or the program is called as xas, not as GNU as or
/// llvm-mc (which never do it), and an input's name ends in .S or .sx.
bool wants_preprocessor(const ProgramOptions& program, const std::vector<std::string>& inputs);

/// Runs $XAS_CPP on `input`, or the compiler of the target: TRIPLE-gcc -E where a target was named, else cc -E. Its
/// messages go to standard error. `text` is what it has made. Returns why there is none, or an empty text.
std::string preprocess(const Settings& settings, const std::string& input, std::string& text);

}  // namespace xas::cli
