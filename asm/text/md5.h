// SPDX-License-Identifier: Apache-2.0
// MD5 (RFC 1321), for the checksums of source files in DWARF 5 line tables.
#pragma once

#include <string_view>

#include "xas/types.hpp"

namespace xas {

void md5(std::string_view data, u8 (&digest)[16]);

}  // namespace xas
