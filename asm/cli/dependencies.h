// SPDX-License-Identifier: Apache-2.0
// What an object depends on, as a rule for make.
#pragma once

#include <string>
#include <string_view>

#include "xas/xas.h"

namespace xas {
struct ProgramOptions;
}

namespace xas::cli {

/// Where -MD and -MMD write unless told: the object's name with the ending ".d", or the input's if there is no object.
std::string default_depfile(const ProgramOptions& program, const std::string& input);

/// The rule. `preprocessed` is what the C preprocessor made of `input`, whose line markers name the headers; empty if
/// it has not run.
std::string dependencies_text(const xas_context* context, const std::string& input, std::string_view preprocessed);

}  // namespace xas::cli
