// SPDX-License-Identifier: Apache-2.0
// What the program says about itself.
#pragma once

#include <string>
#include <string_view>

#include "asm/options/settings.h"

namespace xas::cli {

/// --version; it names the release whose objects are made.
std::string version_text(const Settings& settings);
/// The one line of -v.
std::string version_line(const Settings& settings);
std::string config_text(const Settings& settings);
std::string help_text(std::string_view program);
/// The options of the target alone; none if there is no such target.
std::string target_help_text(const Settings& settings);

}  // namespace xas::cli
