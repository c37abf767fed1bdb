// Directives of no particular topic: identification strings, messages, the end of the text.
#include <fmt/format.h>

#include "asm/directives/directives.h"
#include "asm/macro.h"
#include "asm/parse.h"
#include "objwriter/elf_constants.h"

namespace xas {

namespace {

/// A string, with its escapes undone or as it is written.
bool parse_text(Assembler& a, std::string& out, bool escapes) {
  skip_blanks(a);
  const char* const start = a.p;
  std::string text;
  if (!parse_string(a, text)) return false;
  out.append(escapes ? text : std::string(start + 1, a.p - 1));
  return true;
}

}  // namespace

bool parse_message(Assembler& a, std::string& out) { return parse_text(a, out, a.profile.message_escapes); }

/// .ident "string" [, "string"]...: into .comment, whose first byte is zero and whose strings the linker merges.
void directive_ident(Assembler& a, u32) {
  std::string text;
  do {
    skip_blanks(a);
    if (a.profile.missing_is_zero && (*a.p == ',' || at_end(a))) continue;
    if (!parse_message(a, text)) return;
    text.push_back('\0');
  } while (accept_comma(a));
  Subsection* const before = a.current;
  Subsection* const before_previous = a.previous;
  Section& comment = a.section_named(".comment");
  a.switch_to(a.sections.sub(comment.default_subsection));
  if (a.current->size == 0) a.emit_int(0, 1);
  a.emit_bytes(text.data(), text.size());
  a.return_to(*before, before_previous);
}

/// .version "string": a note of type 1 whose name is the string, as it is written.
void directive_version(Assembler& a, u32) {
  std::string text;
  if (!parse_text(a, text, false)) return;
  Subsection* const before = a.current;
  Subsection* const before_previous = a.previous;
  Section& note = a.section_named(".note");
  a.switch_to(a.sections.sub(note.default_subsection));
  a.emit_int(text.size() + 1, 4);
  a.emit_int(0, 4);
  a.emit_int(1, 4);
  a.emit_bytes(text.data(), text.size());
  a.emit_int(0, 1);
  a.emit_align(2, 1, 0, 0, a.here());
  a.return_to(*before, before_previous);
}

/// .include "file"
void directive_include(Assembler& a, u32) {
  std::string name;
  skip_blanks(a);
  const SourceLoc loc = a.here();
  if (!parse_string(a, name)) return;
  if (a.open_sources.size() >= a.options.max_include_depth) {
    return a.diags.error(
        loc, fmt::format("files are included deeper than the limit of {} levels", a.options.max_include_depth));
  }
  std::string error;
  const SourceBuffer* file = a.find_included(name, error);
  // The statement ends where the file has been read; a newline in between ends it for its reader.
  const SourceBuffer* newline = file ? a.sources.add_expansion({}, {}, loc, 0, error) : nullptr;
  if (!newline) return a.diags.error(loc, std::move(error));
  a.end_statement();
  // Files that include each other multiply like macros do.
  if (const u64 depth = a.open_sources.size(); depth && !count_expansion(a, file->size(), depth, loc)) {
    a.finished = true;
    return;
  }
  a.enter(*file, SourceKind::include);
  a.enter(*newline, SourceKind::include);
}

/// .print "text"
void directive_print(Assembler& a, u32) {
  if (parse_message(a, a.printed)) a.printed += '\n';
}

void directive_ignore(Assembler& a, u32) { a.skip_statement(); }

void directive_end(Assembler& a, u32) {
  a.skip_statement();
  a.finished = true;
}

/// .abort [text]
void directive_abort(Assembler& a, u32) {
  const std::string_view text = rest_of_statement(a);
  a.error(a.statement_start,
          text.empty() ? std::string(".abort directive") : fmt::format(".abort directive: {}", text));
  a.finished = a.profile.abort_stops;
}

/// .fail number: an error below 500, else a warning.
void directive_fail(Assembler& a, u32) {
  constexpr i64 first_warning = 500;
  i64 number = 0;
  if (!at_end_of_statement(a) && !a.absolute(number, "the number of .fail")) return;
  std::string text = fmt::format(".fail {} directive", number);
  number < first_warning ? a.error(a.statement_start, std::move(text)) : a.warning(a.statement_start, std::move(text));
}

/// .mri 0 | 1: what GNU as has of MRI's language where the target isn't the M68K is in macros and conditionals.
void directive_mri(Assembler& a, u32) {
  i64 on;
  if (a.absolute(on, "the mode")) a.macros.set_mri(on != 0);
}

/// .line number: what the next line is called (gnu); otherwise nothing.
void directive_line(Assembler& a, u32) {
  if (at_end_of_statement(a)) return;
  i64 number;
  const char* const where = a.p;
  if (!a.absolute(number, "the line number")) return;
  if (!a.profile.line_renumbers) return;
  if (number < 0 || number > ~u32(0)) return a.error(where, "a line number has 32 bits");
  const void* newline = std::memchr(a.p, '\n', std::size_t(a.source->end - a.p));
  if (!newline || a.source->kind == BufferKind::expansion) return;
  if (!a.stab_lines.source_name.is_known(a)) return;  // without a file, GNU as counts on
  // GNU as for ELF counts from the directive's own line.
  a.sources.add_marker(a.source->loc(static_cast<const char*>(newline) + 1), u32(number) + !a.is_coff,
                       std::string(a.stab_lines.source_name.of_numbered(a)));
}

/// .linefile number ["file" [flag...]]: a line marker written as a directive
void directive_linefile(Assembler& a, u32) {
  i64 number;
  std::string file;
  if (!a.absolute(number, "the line number")) return;
  if (at_end_of_statement(a)) return;
  const char* const newline = static_cast<const char*>(std::memchr(a.p, '\n', std::size_t(a.source->end - a.p)));
  if (!parse_string(a, file)) return;
  a.skip_statement();
  if (newline && number >= 0 && number <= ~u32(0))
    a.sources.add_marker(a.source->loc(newline + 1), u32(number), std::move(file));
}

/// .bundle_align_mode log2: code is made of bundles of that size; 0: not any more.
void directive_bundle_align_mode(Assembler& a, u32) {
  constexpr i64 largest = 30;
  i64 log2;
  const char* const where = a.p;
  if (!a.absolute(log2, "the exponent of the bundles' size")) return;
  if (log2 < 0 || log2 > largest) return a.error(where, fmt::format("the exponent is between 0 and {}", largest));
  if (a.bundles.locks) return a.error(where, "the bundles' size can't change within .bundle_lock");
  a.bundles.log2 = u8(log2);
}

/// .bundle_lock: all up to .bundle_unlock stays in one bundle.
void directive_bundle_lock(Assembler& a, u32) {
  if (!a.bundles.log2) return a.error(a.statement_start, ".bundle_lock needs a .bundle_align_mode");
  if (!a.can_emit() || a.bundles.locks++) return;
  a.bundles.locked = a.current;
  a.bundles.loc = a.loc_of(a.statement_start);
  a.bundles.flex = a.begin_bundled();
}

void directive_bundle_unlock(Assembler& a, u32) {
  if (!a.bundles.locks) return a.error(a.statement_start, ".bundle_unlock without .bundle_lock");
  if (--a.bundles.locks) return;
  if (a.bundles.locked != a.current)
    return a.error(a.statement_start, "the section is another than that of the .bundle_lock");
  a.end_bundled(a.bundles.flex, a.bundles.loc);
}

/// What only Mach-O has.
void directive_mach_o(Assembler& a, u32) {
  a.error(a.statement_start, "only Mach-O objects have symbols of this kind");
  a.skip_statement();
}

/// .linkonce: only COFF has sections of which the linker keeps one without further ado.
void directive_no_linkonce(Assembler& a, u32) {
  constexpr const char* text = ".linkonce has no meaning in ELF objects";
  a.warning(a.statement_start, text);
  a.skip_statement();
}

/// .warning ["text"] (severity 0), .error ["text"] (1), .err (2)
void directive_error(Assembler& a, u32 severity) {
  std::string text;
  if (severity < 2 && !at_end_of_statement(a) && !parse_message(a, text)) return;
  if (text.empty()) text = severity == 0 ? ".warning directive" : severity == 1 ? ".error directive" : ".err directive";
  if (severity == 0) {
    a.warning(a.statement_start, std::move(text));
  } else {
    a.error(a.statement_start, std::move(text));
  }
}

}  // namespace xas
