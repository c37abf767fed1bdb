// SPDX-License-Identifier: Apache-2.0
// Places in text as one number.
#pragma once

#include "xas/types.hpp"

namespace xas {

/// A place in any text that was read: an offset in the space that Sources hands out. 0 is no place.
using SourceLoc = u32;

}  // namespace xas
