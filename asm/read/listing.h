// SPDX-License-Identifier: Apache-2.0
// Entries of the listing (asm/program/listing.h), or marks of lines (asm/program/line_bytes.h), collected while text is
// read. Only called where Listing::on.
#pragma once

namespace xas {

class Program;
class Reader;

/// The next statement is at the cursor.
void list_statement(Reader& reader);

/// It is the first of its line.
void list_line(Reader& reader);

/// The last round of a loop has ended: its .endr is a line of its own.
void list_loop_end(Reader& reader);

/// A line that is passed over, but is listed.
void list_skipped_line(Reader& reader, const char* at);

/// All text has been read: what is added from here on is of no line.
void mark_end(Program& program);

}  // namespace xas
