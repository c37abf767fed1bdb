// What the program says about itself.
#pragma once

#include <string>
#include <string_view>

namespace xas::cli {

std::string version_text(std::string_view triple);
/// The one line of -v.
std::string version_line(std::string_view triple);
std::string config_text(std::string_view triple);
std::string help_text(std::string_view program);
/// The options of the target alone.
std::string target_help_text();

}  // namespace xas::cli
