// SPDX-License-Identifier: Apache-2.0
// Verbs for attributes of the object: GNU's, and the build attributes of AArch64. Those of ARM are targets/arm's.
#pragma once

#include <string_view>

#include "asm/program/streamer.h"

namespace xas {

/// `.gnu_attribute tag, value`; the last value of a tag counts.
void set_gnu_attribute(Streamer& out, u32 tag, GnuAttribute value);

/// The subsection of this name, null if there is none yet.
const BuildAttributes::Subsection* find_attributes(const Streamer& out, std::string_view name);
/// Makes a subsection, if there is none of its name, and the active one. `strings`: its values are text, else numbers.
void choose_attributes(Streamer& out, std::string_view name, bool optional, bool strings);
/// The active subsection; null if there is none.
const BuildAttributes::Subsection* active_attributes(const Streamer& out);
/// Adds to the active subsection, or replaces the value of a tag that it has. False: the profile takes no other value.
[[nodiscard]] bool add_attribute(Streamer& out, BuildAttributes::Attribute attribute);

}  // namespace xas
