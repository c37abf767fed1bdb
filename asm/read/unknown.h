// SPDX-License-Identifier: Apache-2.0
// What is said of a statement that is none: the name that may have been meant, or how other assemblers' syntax is
// written here.
#pragma once

#include "asm/read/reader.h"

namespace xas {

/// Reports `name`, which is no macro, directive or mnemonic, at the place `where`. The cursor stands behind it and the
/// blanks after it.
void report_unknown(Reader& reader, std::string_view name, const char* where);
/// The same of a mnemonic that is a number.
void report_unknown(Reader& reader, u32 number);

/// Reports the character at the cursor, with which no statement begins.
void report_unknown(Reader& reader, char c);

/// Whether the statement that is read up to the cursor does not ask what comes behind it (Profile::open_directives).
bool another_statement_follows(const Reader& reader);

/// Reports what stands at the cursor, where the statement should end.
void report_unexpected(Reader& reader);

/// Why there is no number at p, in words that go behind "bad number".
std::string explain_number(const char* p);

}  // namespace xas
