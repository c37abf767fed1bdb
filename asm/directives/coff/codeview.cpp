// SPDX-License-Identifier: Apache-2.0
// The .cv_* directives: CodeView debug information (asm/program/codeview.h), as LLVM has them.
//
// What is strange: LLVM takes them for ELF too, which has no relocations for them. Fields that need one are left out
// there, the string table is empty, and .cv_fpo_data makes nothing.
#include <fmt/format.h>

#include "asm/directives/codeview.h"
#include "asm/program/codeview_verbs.h"
#include "asm/read/parse.h"
#include "asm/text/digits.h"
#include "objwriter/endian.h"

namespace xas {

namespace {

constexpr i64 max_files = 1 << 20;
constexpr i64 max_number = i64(~u32(0)) - 1;

/// A plain number up to `limit`.
bool parse_number(Reader& reader, i64& number, std::string_view what, i64 low = 0, i64 limit = max_number) {
  skip_blanks(reader);
  const char* where = reader.p;
  u64 value;
  bool overflow = false;
  const char* const end = *where == '-' ? nullptr : plain_number(where, value);
  if (end && !reader.program().chars.is(*end, char_name))
    reader.p = end;
  else if (!scan_number(reader.p, value, overflow))
    return reader.error(where, fmt::format("expected {}", what)), false;
  number = i64(value);
  if (!overflow && number >= low && number <= limit) return true;
  return reader.error(where, fmt::format("{} {} is not between {} and {}", what, value, low, limit)), false;
}

bool at_number(Reader& reader) {
  skip_blanks(reader);
  return u8(*reader.p - '0') <= 9;
}

bool parse_file_number(Reader& reader, u32& number) {
  const char* where = reader.p;
  i64 value;
  if (!parse_number(reader, value, "a file number", 1)) return false;
  number = u32(value);
  if (reader.program().codeview.file(number)) return true;
  return reader.error(where, fmt::format("there is no file {}; .cv_file gives numbers to files", value)), false;
}

bool parse_function_id(Reader& reader, u32& id) {
  i64 value;
  if (!parse_number(reader, value, "a function id")) return false;
  id = u32(value);
  return true;
}

/// What a verb says that is wrong, if something is.
void report(Reader& reader, const char* where, std::string problem) {
  if (!problem.empty()) reader.error(where, std::move(problem));
}

bool expect_word(Reader& reader, std::string_view word) {
  skip_blanks(reader);
  if (std::string_view(reader.p, name_length(reader.p)) != word)
    return reader.error_here(fmt::format("expected '{}'", word)), false;
  reader.p += word.size();
  return true;
}

}  // namespace

/// .cv_file number "name" [ "checksum" kind ]
void directive_cv_file(Reader& reader, u32) {
  skip_blanks(reader);
  const char* where = reader.p;
  i64 number;
  std::string name, checksum;
  if (!parse_number(reader, number, "a file number", 1, max_files) || !parse_string(reader, name)) return;
  i64 kind = 0;
  if (!at_end_of_statement(reader)) {
    const char* checksum_at = reader.p;
    if (!parse_string(reader, checksum) || !parse_number(reader, kind, "the checksum's kind", 0, 255)) return;
    std::string bytes;
    for (std::size_t i = 0; i < checksum.size(); i += 2) {
      const auto digit = [&](std::size_t k) {
        const char c = k < checksum.size() ? checksum[k] : '?';
        return !reader.program().chars.is(c, char_hex) ? -1 : u8(c - '0') <= 9 ? c - '0' : (c | 0x20) - 'a' + 10;
      };
      if (digit(i) < 0 || digit(i + 1) < 0)
        return reader.error(checksum_at, "a checksum is pairs of hexadecimal digits");
      bytes.push_back(char(digit(i) << 4 | digit(i + 1)));
    }
    checksum = std::move(bytes);
    if (checksum.size() > 255) return reader.error(checksum_at, "a checksum has at most 255 bytes");
  }
  report(reader, where,
         define_codeview_file(reader.program(), u32(number), std::move(name), std::move(checksum), u8(kind)));
}

/// .cv_func_id id
void directive_cv_func_id(Reader& reader, u32) {
  skip_blanks(reader);
  const char* where = reader.p;
  u32 id;
  if (parse_function_id(reader, id)) report(reader, where, define_codeview_function(reader.program(), id));
}

/// .cv_inline_site_id id within id inlined_at file line [column]
void directive_cv_inline_site_id(Reader& reader, u32) {
  skip_blanks(reader);
  const char* where = reader.p;
  u32 id, parent;
  CodeViewPlace at;
  i64 line, column = 0;
  if (!parse_function_id(reader, id) || !expect_word(reader, "within") || !parse_function_id(reader, parent)) return;
  if (!expect_word(reader, "inlined_at") || !parse_file_number(reader, at.file) ||
      !parse_number(reader, line, "a line number"))
    return;
  if (at_number(reader) && !parse_number(reader, column, "a column")) return;
  at.line = u32(line);
  at.column = u32(column);
  report(reader, where, define_inline_site(reader.program(), id, parent, at));
}

const char* plain_codeview_line(Program& program, const char* q, u32& function, CodeViewPlace& place) {
  u32 numbers[4] = {};
  for (unsigned i = 0;;) {
    q = few_digits(q, numbers[i]);
    if (!q) return nullptr;
    if (++i == std::size(numbers) || *q != ' ' || u8(q[1] - '0') > 9) break;
    ++q;
  }
  function = numbers[0];
  place = {numbers[1], numbers[2], numbers[3]};
  return program.codeview.file(place.file) ? q : nullptr;
}

/// .cv_loc function file [line [column]] { prologue_end | is_stmt 0|1 }
void directive_cv_loc(Reader& reader, u32) {
  u32 function;
  CodeViewPlace place;
  bool is_statement = false;
  if (!parse_function_id(reader, function) || !parse_file_number(reader, place.file)) return;
  i64 line = 0, column = 0;
  if (at_number(reader) && !parse_number(reader, line, "a line number")) return;
  if (at_number(reader) && !parse_number(reader, column, "a column")) return;
  place.line = u32(line);
  place.column = u32(column);
  while (!at_end_of_statement(reader)) {
    const char* where = reader.p;
    const std::string_view word(reader.p, name_length(reader.p));
    reader.p += word.size();
    if (word == "prologue_end") continue;
    if (word != "is_stmt") return reader.error(where, "expected prologue_end, is_stmt or the end of the statement");
    i64 value;
    where = reader.p;
    if (!reader.absolute(value, "is_stmt")) return;
    if (value != 0 && value != 1) return reader.error(where, "is_stmt is 0 or 1");
    is_statement = value != 0;
  }
  if (std::string problem = add_codeview_line(reader.out, function, place, is_statement); !problem.empty())
    reader.error(std::move(problem));
}

/// .cv_linetable function, begin, end
void directive_cv_linetable(Reader& reader, u32) {
  u32 id;
  SymbolId begin, end;
  if (!parse_function_id(reader, id) || !expect_comma(reader, "the function id") ||
      !parse_symbol(reader, begin, "the function's begin"))
    return;
  if (!expect_comma(reader, "the function's begin") || !parse_symbol(reader, end, "the function's end")) return;
  emit_codeview_lines(reader.out, id, begin, end);
}

/// .cv_inline_linetable function[,] file line begin end
void directive_cv_inline_linetable(Reader& reader, u32) {
  u32 id;
  i64 file, line;
  SymbolId begin, end;
  if (!parse_function_id(reader, id)) return;
  accept_comma(reader);  // LLVM's description has one, its assembler none
  if (!parse_number(reader, file, "a file number", 1) || !parse_number(reader, line, "a line number")) return;
  if (!parse_symbol(reader, begin, "the function's begin") || !parse_symbol(reader, end, "the function's end")) return;
  emit_inlined_lines(reader.out, id, {u32(file), u32(line), 0}, begin, end);
}

namespace {

struct RangeKind {
  std::string_view name;
  u16 record;     ///< S_DEFRANGE_*
  u8 sizes[4];    ///< of its fields
  u8 read;        ///< which of them are written in the directive, by bits
};

constexpr RangeKind range_kinds[] = {
    {"reg", 0x1141, {2, 2}, 0b01},
    {"frame_ptr_rel", 0x1142, {4}, 0b1},
    {"subfield_reg", 0x1143, {2, 2, 4}, 0b101},
    {"reg_rel", 0x1145, {2, 2, 4}, 0b111},
    {"reg_rel_indir", 0x1177, {2, 2, 4, 4}, 0b1111},
};

}  // namespace

/// .cv_def_range begin end [begin end]..., kind, field [, field]...
/// .cv_def_range begin end [begin end]..., "the record's bytes from its kind to its fields"
void directive_cv_def_range(Reader& reader, u32) {
  BigVector<CodeViewRange>& ranges = reader.program().codeview.ranges;
  const u32 first = u32(ranges.size());
  skip_blanks(reader);
  while (*reader.p != ',' && !at_end_of_statement(reader)) {
    SymbolId begin, end;
    if (!parse_symbol(reader, begin, "a range's begin") || !parse_symbol(reader, end, "a range's end")) return;
    make_room(ranges);
    ranges.push_back({begin, end});
    skip_blanks(reader);
  }
  if (!expect_comma(reader, "the ranges")) return;
  const char* where = reader.p;
  if (!reader.program().is_coff) return reader.error(where, "a range needs relocations that ELF does not have");
  if (*reader.p == '"') {
    std::string bytes;
    if (!parse_string(reader, bytes)) return;
    if (bytes.size() < 2) return reader.error(where, "the bytes of a record begin with its kind, which has two");
    return emit_codeview_ranges(reader.out, bytes, first);
  }
  const std::string_view word(reader.p, name_length(reader.p));
  for (const RangeKind& kind : range_kinds) {
    if (kind.name != word) continue;
    reader.p += word.size();
    std::string header;
    append_int(header, kind.record, 2);
    for (unsigned i = 0; i < 4 && kind.sizes[i]; ++i) {
      i64 value = 0;
      if (kind.read >> i & 1) {
        if (!expect_comma(reader, i ? "the field before" : "the range's kind") || !reader.absolute(value, "this field"))
          return;
      }
      append_int(header, u64(value), kind.sizes[i]);
    }
    return emit_codeview_ranges(reader.out, header, first);
  }
  reader.error(where, "expected a kind of range: reg, frame_ptr_rel, subfield_reg, reg_rel or reg_rel_indir");
}

/// .cv_string "text": its offset in the string table
void directive_cv_string(Reader& reader, u32) {
  std::string text;
  if (parse_string(reader, text)) reader.out.emit_int(reader.program().codeview.add_string(text), 4);
}

void directive_cv_stringtable(Reader& reader, u32) { emit_codeview_strings(reader.out); }

void directive_cv_filechecksums(Reader& reader, u32) { emit_checksums(reader.out); }

/// .cv_filechecksumoffset file
void directive_cv_filechecksumoffset(Reader& reader, u32) {
  u32 number;
  if (parse_file_number(reader, number)) emit_checksum_offset(reader.out, number);
}

// Frame data of 32-bit code

namespace {

/// In ELF they are read, wherever they stand, and do nothing.
bool check_in_prologue(Reader& reader) {
  if (!reader.program().is_coff || in_frame_prologue(reader.program())) return true;
  reader.error("this stands between .cv_fpo_proc and .cv_fpo_endprologue");
  reader.skip_statement();
  return false;
}

}  // namespace

/// .cv_fpo_proc symbol [bytes of parameters]
void directive_cv_fpo_proc(Reader& reader, u32) {
  SymbolId function;
  i64 parameters = 0;
  if (!parse_symbol(reader, function, "the function")) return;
  if (!at_end_of_statement(reader) && !parse_number(reader, parameters, "the size of the parameters")) return;
  if (!at_end_of_statement(reader) || !reader.program().is_coff) return;
  if (reader.program().codeview.frame_open)
    return reader.error("the frame data before this are not closed; .cv_fpo_endproc closes them");
  begin_frame_data(reader.out, function, u32(parameters));
}

/// .cv_fpo_pushreg register      .cv_fpo_setframe register
void directive_cv_fpo_register(Reader& reader, u32 set_frame) {
  if (!check_in_prologue(reader)) return;
  skip_blanks(reader);
  const char* where = reader.p;
  if (*reader.p == '%') ++reader.p;
  const std::string_view name(reader.p, name_length(reader.p));
  const bool is_coff = reader.program().is_coff;
  const bool is_wide = !is_coff && reader.program().options.target.bits == 64 && name.starts_with('r');
  const std::string narrow = is_wide ? fmt::format("e{}", name.substr(1)) : std::string(name);
  for (u32 i = 0; i < std::size(frame_data_registers); ++i) {
    if (frame_data_registers[i] != narrow) continue;
    reader.p += name.size();
    if (!is_coff) return;
    return add_frame_operation(reader.out, set_frame ? FrameOperation::set_frame : FrameOperation::push, i);
  }
  reader.error(where, "expected a 32-bit general register");
}

/// .cv_fpo_stackalloc bytes      .cv_fpo_stackalign bytes
void directive_cv_fpo_number(Reader& reader, u32 align) {
  i64 number;
  if (!check_in_prologue(reader) || !parse_number(reader, number, "a number of bytes")) return;
  if (!reader.program().is_coff) return;
  if (align && !has_frame_register(reader.program()))
    return reader.error("the stack can be aligned when there is a frame register (.cv_fpo_setframe)");
  add_frame_operation(reader.out, align ? FrameOperation::align : FrameOperation::allocate, u32(number));
}

void directive_cv_fpo_endprologue(Reader& reader, u32) {
  if (!check_in_prologue(reader) || !at_end_of_statement(reader)) return;
  if (reader.program().is_coff) end_frame_prologue(reader.out);
}

void directive_cv_fpo_endproc(Reader& reader, u32) {
  if (!at_end_of_statement(reader) || !reader.program().is_coff) return;
  if (!reader.program().codeview.frame_open) return reader.error(".cv_fpo_endproc without .cv_fpo_proc");
  if (!end_frame_data(reader.out)) reader.error("the prologue has no end; .cv_fpo_endprologue says where it is");
}

/// .cv_fpo_data symbol
void directive_cv_fpo_data(Reader& reader, u32) {
  SymbolId id;
  if (!parse_symbol(reader, id, "the function") || !reader.program().is_coff || emit_frame_data(reader.out, id)) return;
  reader.error(fmt::format("there are no frame data of '{}'", reader.program().symbols[id].text()));
}

}  // namespace xas
