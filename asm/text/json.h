// SPDX-License-Identifier: Apache-2.0
// Strings of JSON, and the UTF-8 that they are made of.
#pragma once

#include <string>
#include <string_view>

#include "xas/types.hpp"

namespace xas {

/// One UTF-8 character at the start of `text`, which is not empty: its length in bytes, 0 if it is none.
unsigned decode_utf8(std::string_view text, u32& code);

/// The text in quotes. Bytes that are no UTF-8 become U+FFFD.
void append_json_string(std::string& out, std::string_view text);

}  // namespace xas
