// Directives of no particular topic: identification strings, messages, the end of the text.
#include <fmt/format.h>

#include "asm/directives/directives.h"
#include "asm/read/macro.h"
#include "asm/read/parse.h"
#include "objwriter/elf_constants.h"

namespace xas {

namespace {

/// A string, with its escapes undone or as it is written.
bool parse_text(Reader& in, std::string& out, bool escapes) {
  skip_blanks(in);
  const char* const start = in.p;
  std::string text;
  if (!parse_string(in, text)) return false;
  out.append(escapes ? text : std::string(start + 1, in.p - 1));
  return true;
}

}  // namespace

bool parse_message(Reader& in, std::string& out) { return parse_text(in, out, in.program().profile.message_escapes); }

/// .ident "string" [, "string"]...: into .comment, whose first byte is zero and whose strings the linker merges.
void directive_ident(Reader& in, u32) {
  std::string text;
  do {
    skip_blanks(in);
    if (in.program().profile.missing_is_zero && (*in.p == ',' || at_end(in))) continue;
    if (!parse_message(in, text)) return;
    text.push_back('\0');
  } while (accept_comma(in));
  Subsection* const before = in.out.current;
  Subsection* const before_previous = in.out.previous;
  Section& comment = in.program().section_named(".comment");
  in.out.switch_to(in.program().sections.sub(comment.default_subsection));
  if (in.out.current->size == 0) in.out.emit_int(0, 1);
  in.out.emit_bytes(text.data(), text.size());
  in.out.return_to(*before, before_previous);
}

/// .version "string": a note of type 1 whose name is the string, as it is written.
void directive_version(Reader& in, u32) {
  std::string text;
  if (!parse_text(in, text, false)) return;
  Subsection* const before = in.out.current;
  Subsection* const before_previous = in.out.previous;
  Section& note = in.program().section_named(".note");
  in.out.switch_to(in.program().sections.sub(note.default_subsection));
  in.out.emit_int(text.size() + 1, 4);
  in.out.emit_int(0, 4);
  in.out.emit_int(1, 4);
  in.out.emit_bytes(text.data(), text.size());
  in.out.emit_int(0, 1);
  in.out.emit_align(2, 1, 0, 0, in.here());
  in.out.return_to(*before, before_previous);
}

/// .include "file"
void directive_include(Reader& in, u32) {
  std::string name;
  skip_blanks(in);
  const SourceLoc loc = in.here();
  if (!parse_string(in, name)) return;
  if (in.program().sources.open.size() >= in.program().options.max_include_depth) {
    return in.program().diags.error(loc, fmt::format("files are included deeper than the limit of {} levels",
                                                     in.program().options.max_include_depth));
  }
  std::string error;
  const SourceBuffer* file = in.find_included(name, error);
  // The statement ends where the file has been read; a newline in between ends it for its reader.
  const SourceBuffer* newline = file ? in.program().sources.add_expansion({}, {}, loc, 0, error) : nullptr;
  if (!newline) return in.program().diags.error(loc, std::move(error));
  in.end_statement();
  // Files that include each other multiply like macros do.
  if (const u64 depth = in.program().sources.open.size(); depth && !count_expansion(in, file->size(), depth, loc)) {
    in.finished = true;
    return;
  }
  in.enter(*file, SourceKind::include);
  in.enter(*newline, SourceKind::include);
}

/// .print "text"
void directive_print(Reader& in, u32) {
  if (parse_message(in, in.printed)) in.printed += '\n';
}

void directive_ignore(Reader& in, u32) { in.skip_statement(); }

void directive_end(Reader& in, u32) {
  in.skip_statement();
  in.finished = true;
}

/// .abort [text]
void directive_abort(Reader& in, u32) {
  const std::string_view text = rest_of_statement(in);
  in.error(text.empty() ? std::string(".abort directive") : fmt::format(".abort directive: {}", text));
  in.finished = in.program().profile.abort_stops;
}

/// .fail number: an error below 500, else a warning.
void directive_fail(Reader& in, u32) {
  constexpr i64 first_warning = 500;
  i64 number = 0;
  if (!at_end_of_statement(in) && !in.absolute(number, "the number of .fail")) return;
  std::string text = fmt::format(".fail {} directive", number);
  number < first_warning ? in.error(std::move(text)) : in.warning(std::move(text));
}

/// .mri 0 | 1: what GNU as has of MRI's language where the target isn't the M68K is in macros and conditionals.
void directive_mri(Reader& in, u32) {
  i64 on;
  if (in.absolute(on, "the mode")) in.macros.set_mri(on != 0);
}

/// .line number: what the next line is called (gnu); otherwise nothing.
void directive_line(Reader& in, u32) {
  if (at_end_of_statement(in)) return;
  i64 number;
  const char* const where = in.p;
  if (!in.absolute(number, "the line number")) return;
  if (!in.program().profile.line_renumbers) return;
  if (number < 0 || number > ~u32(0)) return in.error(where, "a line number has 32 bits");
  const void* newline = std::memchr(in.p, '\n', std::size_t(in.program().sources.current->end - in.p));
  if (!newline || in.program().sources.current->kind == BufferKind::expansion) return;
  if (!in.program().stab_lines.source_name.is_known(in.out)) return;  // without a file, GNU as counts on
  // GNU as for ELF counts from the directive's own line.
  in.program().sources.add_marker(in.program().sources.current->loc(static_cast<const char*>(newline) + 1),
                                  u32(number) + !in.program().is_coff,
                                  std::string(in.program().stab_lines.source_name.of_numbered(in.out)));
}

/// .linefile number ["file" [flag...]]: a line marker written as a directive
void directive_linefile(Reader& in, u32) {
  i64 number;
  std::string file;
  if (!in.absolute(number, "the line number")) return;
  if (at_end_of_statement(in)) return;
  const char* const newline =
      static_cast<const char*>(std::memchr(in.p, '\n', std::size_t(in.program().sources.current->end - in.p)));
  if (!parse_string(in, file)) return;
  in.skip_statement();
  if (newline && number >= 0 && number <= ~u32(0))
    in.program().sources.add_marker(in.program().sources.current->loc(newline + 1), u32(number), std::move(file));
}

/// .bundle_align_mode log2: code is made of bundles of that size; 0: not any more.
void directive_bundle_align_mode(Reader& in, u32) {
  constexpr i64 largest = 30;
  i64 log2;
  const char* const where = in.p;
  if (!in.absolute(log2, "the exponent of the bundles' size")) return;
  if (log2 < 0 || log2 > largest) return in.error(where, fmt::format("the exponent is between 0 and {}", largest));
  if (in.out.bundles.locks) return in.error(where, "the bundles' size can't change within .bundle_lock");
  in.out.bundles.log2 = u8(log2);
}

/// .bundle_lock: all up to .bundle_unlock stays in one bundle.
void directive_bundle_lock(Reader& in, u32) {
  if (!in.out.bundles.log2) return in.error(".bundle_lock needs a .bundle_align_mode");
  if (!in.out.can_emit() || in.out.bundles.locks++) return;
  in.out.bundles.locked = in.out.current;
  in.out.bundles.loc = in.program().sources.statement_loc();
  in.out.bundles.fragment = in.out.begin_bundled();
}

void directive_bundle_unlock(Reader& in, u32) {
  if (!in.out.bundles.locks) return in.error(".bundle_unlock without .bundle_lock");
  if (--in.out.bundles.locks) return;
  if (in.out.bundles.locked != in.out.current) return in.error("the section is another than that of the .bundle_lock");
  in.out.end_bundled(in.out.bundles.fragment, in.out.bundles.loc);
}

/// What only Mach-O has.
void directive_mach_o(Reader& in, u32) {
  in.error("only Mach-O objects have symbols of this kind");
  in.skip_statement();
}

/// .linkonce: only COFF has sections of which the linker keeps one without further ado.
void directive_no_linkonce(Reader& in, u32) {
  constexpr const char* text = ".linkonce has no meaning in ELF objects";
  in.warning(text);
  in.skip_statement();
}

/// .warning ["text"] (severity 0), .error ["text"] (1), .err (2)
void directive_error(Reader& in, u32 severity) {
  std::string text;
  if (severity < 2 && !at_end_of_statement(in) && !parse_message(in, text)) return;
  if (text.empty()) text = severity == 0 ? ".warning directive" : severity == 1 ? ".error directive" : ".err directive";
  if (severity == 0) {
    in.warning(std::move(text));
  } else {
    in.error(std::move(text));
  }
}

}  // namespace xas
