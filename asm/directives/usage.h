// SPDX-License-Identifier: Apache-2.0
// How directives are written, for messages.
#pragma once

#include <string_view>

namespace xas {

/// What stands behind the directive of this name, in lower case; empty if that is not told here, or nothing does.
std::string_view directive_operands(std::string_view name);

}  // namespace xas
