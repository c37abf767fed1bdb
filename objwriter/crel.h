// SPDX-License-Identifier: Apache-2.0
// CREL, the compact form of relocation sections (SHT_CREL): each relocation is the difference to the one before it.
// Specification: the generic ABI's proposal "CREL relocation format", as llvm-mc and lld implement it: explicit
// addends.
#pragma once

#include <span>

#include "objwriter/object.h"

namespace xas::obj {

/// Bytes that `write_crel` writes. `wide`: ELF64, else offsets and addends have 32 bits.
u64 crel_size(std::span<const Reloc> relocs, bool wide);
void write_crel(std::span<const Reloc> relocs, bool wide, u8* out);

}  // namespace xas::obj
