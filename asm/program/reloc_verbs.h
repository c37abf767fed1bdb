// SPDX-License-Identifier: Apache-2.0
// Verbs for relocations that are said as such.
#pragma once

#include "asm/program/streamer.h"

namespace xas {

/// A relocation of this number (.reloc). `offset`: where, or how far into the current section. `value`: what it names.
void emit_reloc(Streamer& out, Value offset, u32 type, Value value, SourceLoc loc);

/// A place that is written already becomes a data field of `size` bytes with this value and its modifier.
void emit_relocated_field(Streamer& out, Value offset, u8 size, Value value, SourceLoc loc);

/// A relocation that only tells the linker something: `name` is its name without what names the target
/// ("GNU_VTINHERIT"). A target without it is an error, reported where the statement stands.
/// `at_addend`: where relocations have no addend, that of `value` is what they have as their offset.
void emit_hint(Streamer& out, const Value& offset, std::string_view name, const Value& value, bool at_addend);

}  // namespace xas
