// SPDX-License-Identifier: Apache-2.0
// Constants in expressions. All read at p, which they move behind the constant; `out` has no value before. What is
// wrong has been reported where they return false.
#pragma once

#include "asm/read/reader.h"

namespace xas {

/// number := plain number ['u' | 'l']... | label number ('b' | 'f') | real number | masm-number. A digit stands at p.
bool read_number(Reader& reader, const char*& p, Value& out);

/// number := '$' hexadecimal digits | '%' binary digits (-motorola-integers)
bool read_motorola_number(Reader& reader, const char*& p, Value& out);

/// character := ' c ['] | ' \ escape [']
bool read_character(Reader& reader, const char*& p, Value& out);

}  // namespace xas
