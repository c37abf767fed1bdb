// SPDX-License-Identifier: Apache-2.0
// Entries of the listing (asm/program/listing.h), collected while text is read. Only called where there is a listing.
#pragma once

namespace xas {

class Reader;

/// The next statement, at the cursor, is the first of its line.
void list_line(Reader& reader);

/// The last round of a loop has ended: its .endr is a line of its own.
void list_loop_end(Reader& reader);

/// A line that is passed over, but is listed.
void list_skipped_line(Reader& reader, const char* at);

}  // namespace xas
