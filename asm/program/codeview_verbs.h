// SPDX-License-Identifier: Apache-2.0
// Verbs of CodeView (codeview.h): files, functions and their lines; the subsections of .debug$S; frame data of 32-bit
// code. Where a verb returns a text, it says what is wrong; it is empty if all is well.
#pragma once

#include <string>
#include <string_view>

#include "asm/program/streamer.h"

namespace xas {

/// File `number`, from 1; `kind` is the checksum's (0: none), which has up to 255 bytes.
std::string define_codeview_file(Program& program, u32 number, std::string name, std::string checksum, u8 kind);
std::string define_codeview_function(Program& program, u32 id);
/// A function that was inlined into `parent`, which is known, at this place.
std::string define_inline_site(Program& program, u32 id, u32 parent, CodeViewPlace at);
/// The line of the code that follows, of the function with this id. All lines of a function are in one section.
std::string add_codeview_line(Streamer& out, u32 id, CodeViewPlace place, bool is_statement);

/// Here: the offset of a file in the table of checksums, four bytes.
void emit_checksum_offset(Streamer& out, u32 number);
/// Here: the lines of a function, which lies between the two symbols.
void emit_codeview_lines(Streamer& out, u32 function, SymbolId begin, SymbolId end);
/// Here: the lines that were inlined as `function` between the two symbols, which counts from file and line `from`.
void emit_inlined_lines(Streamer& out, u32 function, CodeViewPlace from, SymbolId begin, SymbolId end);
/// Here: records that say where a variable lives: in the ranges that CodeView::ranges has from `first` on. `header` is
/// the bytes of each, from its kind to its fields.
void emit_codeview_ranges(Streamer& out, std::string_view header, u32 first);
/// Here: the table of strings, the first time.
void emit_codeview_strings(Streamer& out);
/// Here: the table of checksums, if there are files.
void emit_checksums(Streamer& out);

/// Registers of frame data, by their number.
inline constexpr std::string_view frame_data_registers[] = {"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"};

/// Frame data are open, and their prologue has no end yet.
bool in_frame_prologue(const Program& program);
/// The prologue has set a frame register.
bool has_frame_register(const Program& program);
/// A function begins here; `parameters` is their size in bytes. No frame data are open.
void begin_frame_data(Streamer& out, SymbolId function, u32 parameters);
/// Within a prologue: an operation that ends here; `value` is a register or a number of bytes.
void add_frame_operation(Streamer& out, FrameOperation::Kind kind, u32 value);
void end_frame_prologue(Streamer& out);
/// The open function ends here. False: its prologue has operations and no end, so that there are no frame data.
bool end_frame_data(Streamer& out);
/// Here: the frame data of a function. False: there are none.
bool emit_frame_data(Streamer& out, SymbolId function);

}  // namespace xas
