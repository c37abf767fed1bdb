// SPDX-License-Identifier: Apache-2.0
// Conditional assembly: .if and its kin.
#pragma once

#include "asm/diagnostics/diag.h"

namespace xas {

class Reader;

/// Passes text that is not to be assembled, up to and with the directive that ends that, or to the end of the buffer.
/// The cursor stands at the end of a statement, or at the start of a buffer's text.
void skip_inactive(Reader& reader);

/// Reports conditionals that are still open at the end of all input, and forgets them.
void finish_conditionals(Reader& reader);

}  // namespace xas
