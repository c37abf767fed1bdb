// SPDX-License-Identifier: Apache-2.0
// Directives of no particular topic: identification strings, messages, the end of the text.
#include <fmt/format.h>

#include "asm/directives/directives.h"
#include "asm/read/macro_expansion.h"
#include "asm/read/parse.h"
#include "objwriter/elf_constants.h"

namespace xas {

namespace {

/// A string, with its escapes undone or as it is written.
bool parse_text(Reader& reader, std::string& out, bool escapes) {
  skip_blanks(reader);
  const char* const start = reader.p;
  std::string text;
  if (!parse_string(reader, text)) return false;
  out.append(escapes ? text : std::string(start + 1, reader.p - 1));
  return true;
}

}  // namespace

bool parse_message(Reader& reader, std::string& out) {
  return parse_text(reader, out, reader.program().profile.message_escapes);
}

/// .ident "string" [, "string"]...: into .comment, whose first byte is zero and whose strings the linker merges.
void directive_ident(Reader& reader, u32) {
  std::string text;
  do {
    skip_blanks(reader);
    if (reader.program().profile.missing_is_zero && (*reader.p == ',' || at_end(reader))) continue;
    if (!parse_message(reader, text)) return;
    text.push_back('\0');
  } while (accept_comma(reader));
  Subsection* const before = reader.out.current;
  Subsection* const before_previous = reader.out.previous;
  Section& comment = reader.program().section_named(".comment");
  reader.out.switch_to(reader.program().sections.sub(comment.default_subsection));
  if (reader.out.current->size == 0) reader.out.emit_int(0, 1);
  reader.out.emit_bytes(text.data(), text.size());
  reader.out.return_to(*before, before_previous);
}

/// .version "string": a note of type 1 whose name is the string, as it is written.
void directive_version(Reader& reader, u32) {
  std::string text;
  if (!parse_text(reader, text, false)) return;
  if (reader.program().is_coff) return;  // objects for Windows have no notes
  Subsection* const before = reader.out.current;
  Subsection* const before_previous = reader.out.previous;
  Section& note = reader.program().section_named(".note");
  reader.out.switch_to(reader.program().sections.sub(note.default_subsection));
  reader.out.emit_int(text.size() + 1, 4);
  reader.out.emit_int(0, 4);
  reader.out.emit_int(1, 4);
  reader.out.emit_bytes(text.data(), text.size());
  reader.out.emit_int(0, 1);
  reader.out.emit_align(2, 1, 0, 0, reader.here());
  reader.out.return_to(*before, before_previous);
}

/// .include "file"
void directive_include(Reader& reader, u32) {
  std::string name;
  skip_blanks(reader);
  const SourceLoc loc = reader.here();
  if (!parse_string(reader, name)) return;
  if (reader.program().sources.open.size() >= reader.program().options.max_include_depth) {
    return reader.program().diags.error(loc, fmt::format("files are included deeper than the limit of {} levels",
                                                     reader.program().options.max_include_depth));
  }
  std::string error;
  const SourceBuffer* file = reader.find_included(name, error);
  // The statement ends where the file has been read; a newline in between ends it for its reader.
  const SourceBuffer* newline = file ? reader.program().sources.add_expansion({}, {}, loc, 0, error) : nullptr;
  if (!newline) return reader.program().diags.error(loc, std::move(error));
  reader.end_statement();
  // Files that include each other multiply like macros do.
  if (const u64 depth = reader.program().sources.open.size();
      depth && !count_expansion(reader, file->size(), depth, loc)) {
    reader.finished = true;
    return;
  }
  reader.enter(*file, SourceKind::include);
  reader.enter(*newline, SourceKind::include);
}

/// .print "text"
void directive_print(Reader& reader, u32) {
  if (parse_message(reader, reader.printed)) reader.printed += '\n';
}

void directive_ignore(Reader& reader, u32) { reader.skip_statement(); }

/// .noopt
void directive_noopt(Reader& reader, u32) {
  reader.program().target.stop_optimizing();
  reader.skip_statement();
}

void directive_end(Reader& reader, u32) {
  reader.skip_statement();
  reader.finished = true;
}

/// .abort [text]
void directive_abort(Reader& reader, u32) {
  const std::string_view text = rest_of_statement(reader);
  reader.error(text.empty() ? std::string(".abort directive") : fmt::format(".abort directive: {}", text));
  reader.finished = reader.aborted = reader.program().profile.abort_stops;
}

/// .fail number: an error below 500, else a warning.
void directive_fail(Reader& reader, u32) {
  constexpr i64 first_warning = 500;
  i64 number = 0;
  if (!at_end_of_statement(reader) && !reader.absolute(number, "the number of .fail")) return;
  std::string text = fmt::format(".fail {} directive", number);
  number < first_warning ? reader.error(std::move(text)) : reader.warning(std::move(text));
}

/// .mri 0 | 1: what GNU as has of MRI's language where the target isn't the M68K is in macros and conditionals.
void directive_mri(Reader& reader, u32) {
  i64 on;
  if (reader.absolute(on, "the mode")) reader.macros.set_mri(on != 0);
}

/// .line number: what the next line is called (gnu); otherwise nothing.
void directive_line(Reader& reader, u32) {
  if (at_end_of_statement(reader)) return;
  i64 number;
  const char* const where = reader.p;
  if (!reader.absolute(number, "the line number")) return;
  if (!reader.program().profile.line_renumbers) return;
  if (number < 0 || number > ~u32(0)) return reader.error(where, "a line number has 32 bits");
  const void* newline = std::memchr(reader.p, '\n', std::size_t(reader.program().sources.current->end - reader.p));
  if (!newline || reader.program().sources.current->kind == BufferKind::expansion) return;
  if (!reader.program().stab_lines.source_name.is_known(reader.out)) return;  // without a file, GNU as counts on
  // GNU as for ELF counts from the directive's own line.
  reader.program().sources.add_marker(reader.program().sources.current->loc(static_cast<const char*>(newline) + 1),
                                  u32(number) + !reader.program().is_coff,
                                  std::string(reader.program().stab_lines.source_name.of_numbered(reader.out)));
}

/// .linefile number ["file" [flag...]]: a line marker written as a directive
void directive_linefile(Reader& reader, u32) {
  i64 number;
  std::string file;
  if (!reader.absolute(number, "the line number")) return;
  if (at_end_of_statement(reader)) return;
  const char* const newline = static_cast<const char*>(
      std::memchr(reader.p, '\n', std::size_t(reader.program().sources.current->end - reader.p)));
  if (!parse_string(reader, file)) return;
  reader.skip_statement();
  if (newline && number >= 0 && number <= ~u32(0)) reader.mark_line(newline + 1, u32(number), std::move(file));
}

/// .bundle_align_mode log2: code is made of bundles of that size; 0: not any more.
void directive_bundle_align_mode(Reader& reader, u32) {
  constexpr i64 largest = 30;
  i64 log2;
  const char* const where = reader.p;
  if (!reader.absolute(log2, "the exponent of the bundles' size")) return;
  if (log2 < 0 || log2 > largest) return reader.error(where, fmt::format("the exponent is between 0 and {}", largest));
  if (reader.out.bundles.locks) return reader.error(where, "the bundles' size can't change within .bundle_lock");
  reader.out.bundles.log2 = u8(log2);
}

/// .bundle_lock: all up to .bundle_unlock stays in one bundle.
void directive_bundle_lock(Reader& reader, u32) {
  if (!reader.out.bundles.log2) return reader.error(".bundle_lock needs a .bundle_align_mode");
  if (!reader.out.can_emit() || reader.out.bundles.locks++) return;
  reader.out.bundles.locked = reader.out.current;
  reader.out.bundles.loc = reader.program().sources.statement_loc();
  reader.out.bundles.fragment = reader.out.begin_bundled();
}

void directive_bundle_unlock(Reader& reader, u32) {
  if (!reader.out.bundles.locks) return reader.error(".bundle_unlock without .bundle_lock");
  if (--reader.out.bundles.locks) return;
  if (reader.out.bundles.locked != reader.out.current)
    return reader.error("the section is another than that of the .bundle_lock");
  reader.out.end_bundled(reader.out.bundles.fragment, reader.program().sources.statement_loc());
}

/// What only Mach-O has.
void directive_mach_o(Reader& reader, u32) {
  reader.error("only Mach-O objects have symbols of this kind");
  reader.skip_statement();
}

/// .linkonce: only COFF has sections of which the linker keeps one without further ado.
void directive_no_linkonce(Reader& reader, u32) {
  constexpr const char* text = ".linkonce has no meaning in ELF objects";
  reader.warning(text);
  reader.skip_statement();
}

/// .warning ["text"] (severity 0), .error ["text"] (1), .err (2)
void directive_error(Reader& reader, u32 severity) {
  std::string text;
  if (severity < 2 && !at_end_of_statement(reader) && !parse_message(reader, text)) return;
  if (text.empty() && severity == 2)
    text = ".err is invoked in the source file";
  else if (text.empty())
    text = fmt::format("{0} is invoked in the source file, without a text of its own: '{0} \"text\"'",
                       severity == 0 ? ".warning" : ".error");
  if (severity == 0) {
    reader.warning(std::move(text));
  } else {
    reader.error(std::move(text));
  }
}

}  // namespace xas
