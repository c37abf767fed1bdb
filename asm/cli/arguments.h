// SPDX-License-Identifier: Apache-2.0
// The command line as the program gets it, with @file replaced by what the files hold.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xas::cli {

/// Replaces each "@file" by the words of that file. A file that can't be read leaves its argument as it is, as it may
/// be the name of an input. Returns why that was not possible (files that refer to each other without end).
std::string expand_response_files(std::vector<std::string>& arguments);

/// The words of a response file: separated by white space; quotes of either kind keep it, a backslash keeps any
/// character.
std::vector<std::string> split_words(std::string_view text);

}  // namespace xas::cli
