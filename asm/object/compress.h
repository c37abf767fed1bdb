// SPDX-License-Identifier: Apache-2.0
// --compress-debug-sections.
#pragma once

#include "asm/object/emit.h"

namespace xas {

/// Replaces the contents of the object's .debug_* sections by compressed ones (gABI "Section Compression"; names
/// .zdebug_* for the older GNU form) where that makes them smaller. The bytes belong to `storage`. Called when
/// relocations are decided; relocation offsets keep counting in the uncompressed section.
void compress_debug_sections(Program& program, obj::Object& object, ObjectStorage& storage);

}  // namespace xas
