// SPDX-License-Identifier: Apache-2.0
// Names of the blocks and records of LLVM bitcode, for whoever shows them to people.
#pragma once

#include <string_view>

#include "xas/types.hpp"

namespace xas::bitstream {

/// "MODULE", ...; empty if LLVM IR has no such block.
std::string_view bitcode_block_name(u64 block);

/// "GLOBALVAR", ...; empty if none is known.
std::string_view bitcode_record_name(u64 block, u64 code);

}  // namespace xas::bitstream
