// SPDX-License-Identifier: Apache-2.0
// .file and .loc: records into DwarfLines, from which .debug_line is written at the end.
#include <fmt/format.h>

#include <utility>

#include "asm/directives/debug.h"
#include "asm/program/symbol_verbs.h"
#include "asm/read/parse.h"
#include "asm/text/digits.h"

namespace xas {

namespace {

/// md5 := 0x and 32 hexadecimal digits
bool parse_md5(Reader& reader, u8 (&md5)[16]) {
  skip_blanks(reader);
  const char* const start = reader.p;
  const char* q = start;
  if (*q == '0' && (q[1] == 'x' || q[1] == 'X')) {
    q += 2;
    u8 digits[32];
    unsigned n = 0;
    for (; reader.program().chars.is(*q, char_hex) && n < 32; ++q) digits[n++] = u8((*q & 0xf) + (*q > '9' ? 9 : 0));
    if (n > 0 && !reader.program().chars.is(*q, char_name)) {
      reader.p = q;
      for (unsigned i = 0; i < 32; ++i) {
        // The number's digits are its lowest ones: missing ones are zeros in front.
        const u8 digit = i < 32 - n ? 0 : digits[i - (32 - n)];
        u8& byte = md5[reader.program().profile.md5_reversed ? 15 - i / 2 : i / 2];
        byte = u8(i % 2 ? byte | digit : digit << 4);
      }
      return true;
    }
  }
  reader.expected(start, "a checksum: 0x and up to 32 hexadecimal digits");
  return false;
}

bool at_string(Reader& reader) {
  skip_blanks(reader);
  return *reader.p == '"';
}

}  // namespace

// .file "name"
// .file number [ "directory" ] "name" { 'md5' checksum | 'source' "text" }
void directive_file(Reader& reader, u32) {
  DwarfLines& lines = reader.program().lines;
  if (at_string(reader)) {
    std::string_view name;
    std::string storage;
    if (!parse_string(reader, name, storage)) return;
    return add_file_symbol(reader.out, name);
  }
  const SourceLoc loc = reader.program().sources.statement_loc();
  const char* at = reader.p;
  i64 number;
  if (at_end_of_statement(reader)) return reader.expected("a string in double quotes");
  if (!parse_integer(reader, number, "file number")) return;
  if (number < 0 || number > ~u32(0)) return reader.error(at, fmt::format("file number {} is out of range", number));
  FileDirective d{.number = u32(number)};
  if (!parse_string(reader, d.file.name)) return;
  if (at_string(reader)) {
    d.has_directory = true;
    d.directory = std::move(d.file.name);
    d.file.name.clear();
    if (!parse_string(reader, d.file.name)) return;
  }
  while (!at_end_of_statement(reader)) {
    const char* word_at = reader.p;
    const std::string_view word(reader.p, name_length(reader.p));
    if (word == "md5") {
      reader.p += word.size();
      if (!parse_md5(reader, d.file.md5)) return;
      d.file.has_md5 = true;
    } else if (word == "source") {
      reader.p += word.size();
      skip_blanks(reader);
      if (!parse_string(reader, d.file.source)) return;
      d.file.has_source = true;
    } else {
      return reader.expected(word_at, "'md5', 'source' or the end of the statement");
    }
  }
  if (number == 0) lines.raise_version(5);
  lines.stop_generating(reader.program());
  // Some lines of Thumb code are known as mere bytes until then.
  if (!std::exchange(lines.wants_pieces, true)) reader.line_cache.instructions.forget();
  lines.files.define(reader.program(), std::move(d), loc);
}

namespace {

/// view := symbol | 0 | -0
/// The row is made at once: the view number is that of the place where the .loc stands.
bool parse_view(Reader& reader, LocDirective& loc) {
  skip_blanks(reader);
  const char* at = reader.p;
  if (*reader.p != '-' && u8(*reader.p - '0') > 9) {
    if (!parse_symbol(reader, loc.view.symbol, "view")) return false;
    const Symbol& s = reader.program().symbols[loc.view.symbol];
    if (!s.is_defined()) return true;
    reader.program().report_redefinition(s, reader.loc_of(at));
    return false;
  }
  const bool reset = *reader.p == '-';
  i64 number;
  if (!parse_integer(reader, number, "view number")) return false;
  if (number != 0) {
    reader.error(at, "a view number can only be said to be 0; others are given a name");
    return false;
  }
  if (reset) {
    loc.set |= line_reset_view;
    reader.program().lines.any_reset = true;
  }
  return true;
}

bool parse_unsigned(Reader& reader, u32& result, std::string_view what) {
  skip_blanks(reader);
  const char* at = reader.p;
  i64 value;
  if (!parse_integer(reader, value, what)) return false;
  if (value < 0 || value > ~u32(0)) {
    reader.error(at, fmt::format("{} {} is out of range", what, value));
    return false;
  }
  result = u32(value);
  return true;
}

/// Reads what may follow the numbers of a .loc.
bool parse_loc_options(Reader& reader, LocDirective& loc) {
  while (!at_end_of_statement(reader)) {
    const char* at = reader.p;
    const std::string_view word(at, name_length(at));
    reader.p += word.size();
    if (word == "is_stmt") {
      u32 on;
      if (!parse_unsigned(reader, on, "is_stmt")) return false;
      if (on > 1) return reader.error(at, "is_stmt must be 0 or 1"), false;
      loc.has_is_stmt = true;
      loc.set = (loc.set & ~u32(line_is_stmt)) | on;
    } else if (word == "view") {
      if (!parse_view(reader, loc)) return false;
      loc.has_view = true;
    } else if (word == "prologue_end") {
      loc.set |= line_prologue_end;
    } else if (word == "discriminator") {
      if (!parse_unsigned(reader, loc.discriminator, "discriminator")) return false;
    } else if (word == "basic_block") {
      loc.set |= line_basic_block;
    } else if (word == "epilogue_begin") {
      loc.set |= line_epilogue_begin;
    } else if (word == "isa") {
      if (!parse_unsigned(reader, loc.isa, "isa")) return false;
      loc.has_isa = true;
    } else {
      reader.error(at,
               "expected is_stmt, view, prologue_end, epilogue_begin, basic_block, discriminator, isa, or the end of "
               "the statement");
      return false;
    }
  }
  return true;
}

}  // namespace

const char* plain_loc(Program& program, const char* q, LocDirective& loc) {
  q = few_digits(q, loc.file);
  if (!q || *q != ' ' || loc.file == 0 || !program.lines.files.defined(loc.file)) return nullptr;
  q = few_digits(q + 1, loc.line);
  if (!q) return nullptr;
  if (*q == ' ' && u8(q[1] - '0') <= 9) {
    q = few_digits(q + 1, loc.column);
    if (!q) return nullptr;
    loc.has_column = true;
  }
  const auto starts = [](const char* p, std::string_view word) {
    return std::memcmp(p, word.data(), word.size()) == 0;
  };
  while (*q == ' ') {
    const char* const word = q + 1;
    if (starts(word, "view .")) {
      u32 size;
      loc.view.text = word + 5;
      loc.view.place = program.symbols.place_of_unmet(word + 5, size);
      if (loc.view.place == 0) {
        loc.view.symbol = program.symbols.intern_numbered(word + 5, size);
        if (loc.view.symbol == no_symbol || program.symbols[loc.view.symbol].is_defined()) return nullptr;
      }
      loc.has_view = true;
      q = word + 5 + size;
    } else if (starts(word, "is_stmt ") && u8(word[8] - '0') <= 1) {
      loc.has_is_stmt = true;
      loc.set = (loc.set & ~u32(line_is_stmt)) | u32(word[8] - '0');
      q = word + 9;
    } else if (starts(word, "prologue_end")) {
      loc.set |= line_prologue_end;
      q = word + 12;
    } else if (starts(word, "discriminator ")) {
      q = few_digits(word + 14, loc.discriminator);
      if (!q) return nullptr;
    } else {
      break;
    }
  }
  return q;
}

void record_loc(Streamer& out, const LocDirective& loc, const char* at) {
  DwarfLines& lines = out.program.lines;
  if (lines.pending && !lines.generating()) lines.flush(out);
  if (loc.file == 0) lines.raise_version(5);
  auto& current = lines.current;
  current.file = loc.file;
  current.line = loc.line;
  if (loc.has_column || !out.program.profile.loc_keeps_fields) current.column = loc.column;
  current.discriminator = loc.discriminator;
  if (loc.has_isa || !out.program.profile.loc_keeps_fields) current.isa = loc.isa;
  if (loc.has_is_stmt) current.flags &= ~u32(line_is_stmt);
  current.flags |= loc.set;
  lines.wait(out);
  if (out.program.listing.on) [[unlikely]]
    out.program.listing.source(lines.files.path(loc.file), loc.line);
  if (loc.has_view) lines.flush_with_view(out, loc.view, out.program.sources.loc_of(at));
}

// .loc file [ line [ column ] ] { option }
void directive_loc(Reader& reader, u32) {
  DwarfLines& lines = reader.program().lines;
  const char* const at = reader.p;
  LocDirective loc;
  if (!parse_unsigned(reader, loc.file, "file number")) return;
  if (loc.file == 0 && !lines.files.defined(0) && (reader.program().profile.split_file_0 || lines.version() < 5)) {
    return reader.error(at, "file number 0 is not defined; .file 0 \"directory\" \"name\" defines it");
  }
  if (loc.file != 0 && !lines.files.defined(loc.file)) {
    return reader.error(at,
                        fmt::format("file number {} is not defined; .file {} \"name\" defines it", loc.file, loc.file));
  }
  const auto at_number = [&] {
    skip_blanks(reader);
    return u8(*reader.p - '0') <= 9;
  };
  if (at_number() || *reader.p == '(' || *reader.p == '-') {
    if (!parse_unsigned(reader, loc.line, "line number")) return;
    loc.has_column = at_number();
    if (loc.has_column && !parse_unsigned(reader, loc.column, "column")) return;
  }
  if (parse_loc_options(reader, loc)) record_loc(reader.out, loc, at);
}

// .loc_mark_labels 0 | 1
void directive_loc_mark_labels(Reader& reader, u32) {
  const char* at = reader.p;
  i64 on;
  if (!parse_integer(reader, on, ".loc_mark_labels")) return;
  if (on != 0 && on != 1) return reader.expected(at, "0 or 1");
  reader.program().lines.set_mark_labels(on != 0);
}

// .loc_label symbol
void directive_loc_label(Reader& reader, u32) {
  const char* at = reader.p;
  Name name;
  if (!parse_name(reader, name, "label")) return;
  reader.program().lines.add_label_row(reader.out, name, reader.loc_of(at));
}

}  // namespace xas
