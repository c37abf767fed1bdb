// SPDX-License-Identifier: Apache-2.0
// What may be read as text.
#pragma once

#include "xas/types.hpp"

namespace xas {

struct SourceLimits {
  u64 bytes = 0xFFFF0000ull;   ///< of all text together, files of .incbin included; a SourceLoc has 32 bits
  bool regular_files = false;  ///< nothing else is opened: no device, and no pipe, which may never end
};

}  // namespace xas
