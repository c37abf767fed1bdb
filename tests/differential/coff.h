// SPDX-License-Identifier: Apache-2.0
// The comparison of COFF objects, regular and bigobj: the object as lines of text, which are compared.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compare.h"

namespace diff {

/// The bytes begin as a COFF object for a machine that is known here does.
bool is_coff(std::span<const std::uint8_t> bytes);

/// What differs between two COFF objects that are not equal byte for byte.
std::vector<Difference> compare_coff(std::span<const std::uint8_t> oracle, std::span<const std::uint8_t> subject);

}  // namespace diff
