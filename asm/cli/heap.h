// SPDX-License-Identifier: Apache-2.0
// The program's heap for inputs that need much of it.
#pragma once

#include <string>
#include <vector>

namespace xas::cli {

/// To be called before the inputs are read: where they are large, the heap that they will need is asked for in huge
/// pages.
void prepare_heap(const std::vector<std::string>& inputs);

}  // namespace xas::cli
