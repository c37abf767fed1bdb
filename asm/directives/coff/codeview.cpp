// SPDX-License-Identifier: Apache-2.0
// The .cv_* directives: CodeView debug information (asm/program/codeview.h), as LLVM has them.
//
// What is strange: LLVM takes them for ELF too, which has no relocations for them. Fields that need one are left out
// there, the string table is empty, and .cv_fpo_data makes nothing.
#include <fmt/format.h>

#include "asm/directives/codeview.h"
#include "asm/read/parse.h"

namespace xas {

namespace {

constexpr i64 max_files = 1 << 20;

// Kinds of subsections of .debug$S
constexpr u32 DEBUG_S_LINES = 0xf2;
constexpr u32 DEBUG_S_STRINGTABLE = 0xf3;
constexpr u32 DEBUG_S_FILECHKSMS = 0xf4;
constexpr u32 DEBUG_S_FRAMEDATA = 0xf5;

/// A plain number up to `limit`.
bool parse_number(Reader& reader, i64& number, std::string_view what, i64 low = 0, i64 limit = i64(~u32(0)) - 1) {
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

bool expect_word(Reader& reader, std::string_view word) {
  skip_blanks(reader);
  if (std::string_view(reader.p, name_length(reader.p)) != word)
    return reader.error_here(fmt::format("expected '{}'", word)), false;
  reader.p += word.size();
  return true;
}

CodeViewFunction* new_function(Streamer& out, u32 id, const char* where) {
  const auto [it, is_new] = out.program.codeview.functions.try_emplace(id);
  if (is_new) return &it->second;
  out.error(where, fmt::format("function id {} is in use already", id));
  return nullptr;
}

void emit_difference(Streamer& out, SymbolId to, SymbolId from, unsigned size, SourceLoc loc) {
  Value v{.add = to, .sub = from};
  out.fold(v);
  out.emit_value(v, size, loc);
}

void emit_modified(Streamer& out, SymbolId symbol, std::string_view modifier, unsigned size, SourceLoc loc) {
  if (!out.program.is_coff) return;
  out.program.symbols[symbol].flags |= symbol_referenced;
  out.emit_value({.add = symbol, .modifier = out.program.target.modifier(modifier)}, size, loc);
}

/// The head of a subsection; its size is the distance to `end`, which the caller defines.
SymbolId begin_subsection(Streamer& out, u32 kind, SourceLoc loc) {
  const SymbolId end = out.program.symbols.make_anonymous();
  out.emit_int(kind, 4);
  const SymbolId begin = out.program.symbols.make_anonymous();
  emit_difference(out, end, begin, 4, loc);
  out.define_label(begin, loc);
  return end;
}

CodeViewFile& file_slot(Program& program, u32 number) {
  std::vector<CodeViewFile>& files = program.codeview.files;
  if (files.size() < number) files.resize(number);
  CodeViewFile& f = files[number - 1];
  if (f.offset_symbol == no_symbol) f.offset_symbol = program.symbols.make_anonymous();
  return f;
}

void emit_checksum_offset(Streamer& out, u32 number, SourceLoc loc) {
  CodeView& cv = out.program.codeview;
  const CodeViewFile& f = file_slot(out.program, number);
  if (cv.offset_needed == 0) cv.offset_needed = loc;
  if (cv.offsets_known) return out.emit_int(f.offset, 4);
  out.emit_value({.add = f.offset_symbol}, 4, loc);
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
  reader.program().codeview.add_string(name);
  if (name.empty()) name = "<stdin>";
  CodeViewFile& f = file_slot(reader.program(), u32(number));
  if (f.assigned) return reader.error(where, fmt::format("file number {} is in use already", number));
  f.assigned = true;
  f.name = reader.program().codeview.add_string(name);
  f.checksum = std::move(checksum);
  f.checksum_kind = u8(kind);
}

/// .cv_func_id id
void directive_cv_func_id(Reader& reader, u32) {
  skip_blanks(reader);
  const char* where = reader.p;
  u32 id;
  if (parse_function_id(reader, id)) new_function(reader.out, id, where);
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
  auto& functions = reader.program().codeview.functions;
  if (!functions.contains(parent)) return reader.error(where, fmt::format("function id {} is not known", parent));
  constexpr unsigned max_inlinings = 1000;  // each level is recorded in all around it
  unsigned levels = 1;
  for (u32 around = parent; functions[around].parent != no_function_id; around = functions[around].parent) ++levels;
  if (levels > max_inlinings)
    return reader.error(where, fmt::format("functions are inlined deeper than the limit of {} levels", max_inlinings));
  CodeViewFunction* f = new_function(reader.out, id, where);
  if (!f) return;
  f->parent = parent;
  f->inlined_at = at;
  // Everything around it has it too, at the place where that which holds it was inlined.
  for (u32 around = parent; around != no_function_id;) {
    CodeViewFunction& outer = functions[around];
    outer.inlined[id] = at;
    at = outer.inlined_at;
    around = outer.parent;
  }
}

/// .cv_loc function file [line [column]] { prologue_end | is_stmt 0|1 }
void directive_cv_loc(Reader& reader, u32) {
  CodeViewLine l{};
  if (!parse_function_id(reader, l.function) || !parse_file_number(reader, l.place.file)) return;
  i64 line = 0, column = 0;
  if (at_number(reader) && !parse_number(reader, line, "a line number")) return;
  if (at_number(reader) && !parse_number(reader, column, "a column")) return;
  l.place.line = u32(line);
  l.place.column = u32(column);
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
    l.is_statement = value != 0;
  }
  const auto function = reader.program().codeview.functions.find(l.function);
  if (function == reader.program().codeview.functions.end()) {
    return reader.error(
        fmt::format("function id {} is not known; .cv_func_id or .cv_inline_site_id makes it", l.function));
  }
  CodeViewFunction& f = function->second;
  if (f.section == ~u32(0)) f.section = reader.out.current->section;
  if (f.section != reader.out.current->section) return reader.error("all .cv_loc of a function must be in one section");
  l.label = reader.out.make_label_here();
  const std::size_t index = reader.program().codeview.lines.size();
  f.first = std::min(f.first, index);
  f.end = index + 1;
  make_room(reader.program().codeview.lines);
  reader.program().codeview.lines.push_back(l);
}

/// .cv_linetable function, begin, end
void directive_cv_linetable(Reader& reader, u32) {
  constexpr u32 CV_LINES_HAVE_COLUMNS = 1;
  constexpr u32 statement_bit = 0x80000000;
  const SourceLoc loc = reader.program().sources.statement_loc();
  u32 id;
  SymbolId begin, end;
  if (!parse_function_id(reader, id) || !expect_comma(reader, "the function id") ||
      !parse_symbol(reader, begin, "the function's begin"))
    return;
  if (!expect_comma(reader, "the function's begin") || !parse_symbol(reader, end, "the function's end")) return;

  const SymbolId subsection_end = begin_subsection(reader.out, DEBUG_S_LINES, loc);
  emit_modified(reader.out, begin, "SECREL32", 4, loc);
  emit_modified(reader.out, begin, "SECIDX", 2, loc);
  const std::vector<CodeViewLine> lines = codeview_lines(reader.program().codeview, id);
  bool columns = false;
  for (const CodeViewLine& l : lines) columns |= l.place.column != 0;
  reader.out.emit_int(columns ? CV_LINES_HAVE_COLUMNS : 0, 2);
  emit_difference(reader.out, end, begin, 4, loc);
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t j = i;
    while (j < lines.size() && lines[j].place.file == lines[i].place.file) ++j;
    emit_checksum_offset(reader.out, lines[i].place.file, loc);
    reader.out.emit_int(j - i, 4);
    reader.out.emit_int(12 + (columns ? 12 : 8) * (j - i), 4);
    for (std::size_t k = i; k < j; ++k) {
      emit_difference(reader.out, lines[k].label, begin, 4, loc);
      reader.out.emit_int(lines[k].place.line | (lines[k].is_statement ? statement_bit : 0), 4);
    }
    for (std::size_t k = i; columns && k < j; ++k) reader.out.emit_int(lines[k].place.column & 0xffff, 4);
    i = j;
  }
  reader.out.define_label(subsection_end, loc);
}

/// .cv_inline_linetable function[,] file line begin end
void directive_cv_inline_linetable(Reader& reader, u32) {
  u32 id;
  i64 file, line;
  SymbolId begin, end;
  const SourceLoc loc = reader.program().sources.statement_loc();
  if (!parse_function_id(reader, id)) return;
  accept_comma(reader);  // LLVM's description has one, its assembler none
  if (!parse_number(reader, file, "a file number", 1) || !parse_number(reader, line, "a line number")) return;
  if (!parse_symbol(reader, begin, "the function's begin") || !parse_symbol(reader, end, "the function's end") ||
      !reader.out.can_emit())
    return;
  CodeViewPiece& piece = add_codeview_piece(reader.out, CodeViewPieceKind::inlined_lines, loc);
  piece.function = id;
  piece.from = {u32(file), u32(line), 0};
  piece.begin = begin;
  piece.end = end;
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

void make_ranges(Streamer& out, std::string header, std::vector<std::pair<SymbolId, SymbolId>> ranges, SourceLoc loc) {
  if (!out.can_emit()) return;
  CodeViewPiece& piece = add_codeview_piece(out, CodeViewPieceKind::ranges, loc);
  piece.header = std::move(header);
  piece.ranges = std::move(ranges);
}

}  // namespace

/// .cv_def_range begin end [begin end]..., kind, field [, field]...
/// .cv_def_range begin end [begin end]..., "the record's bytes from its kind to its fields"
void directive_cv_def_range(Reader& reader, u32) {
  const SourceLoc loc = reader.program().sources.statement_loc();
  std::vector<std::pair<SymbolId, SymbolId>> ranges;
  skip_blanks(reader);
  while (*reader.p != ',' && !at_end_of_statement(reader)) {
    SymbolId begin, end;
    if (!parse_symbol(reader, begin, "a range's begin") || !parse_symbol(reader, end, "a range's end")) return;
    ranges.emplace_back(begin, end);
    skip_blanks(reader);
  }
  if (!expect_comma(reader, "the ranges")) return;
  const char* where = reader.p;
  if (!reader.program().is_coff) return reader.error(where, "a range needs relocations that ELF does not have");
  if (*reader.p == '"') {
    std::string bytes;
    if (!parse_string(reader, bytes)) return;
    if (bytes.size() < 2) return reader.error(where, "the bytes of a record begin with its kind, which has two");
    return make_ranges(reader.out, std::move(bytes), std::move(ranges), loc);
  }
  const std::string_view word(reader.p, name_length(reader.p));
  for (const RangeKind& kind : range_kinds) {
    if (kind.name != word) continue;
    reader.p += word.size();
    std::string header{char(kind.record & 0xff), char(kind.record >> 8)};
    for (unsigned i = 0; i < 4 && kind.sizes[i]; ++i) {
      i64 value = 0;
      if (kind.read >> i & 1) {
        if (!expect_comma(reader, i ? "the field before" : "the range's kind") || !reader.absolute(value, "this field"))
          return;
      }
      for (unsigned k = 0; k < kind.sizes[i]; ++k) header.push_back(char(value >> (8 * k)));
    }
    return make_ranges(reader.out, std::move(header), std::move(ranges), loc);
  }
  reader.error(where, "expected a kind of range: reg, frame_ptr_rel, subfield_reg, reg_rel or reg_rel_indir");
}

/// .cv_string "text": its offset in the string table
void directive_cv_string(Reader& reader, u32) {
  std::string text;
  if (parse_string(reader, text)) reader.out.emit_int(reader.program().codeview.add_string(text), 4);
}

void directive_cv_stringtable(Reader& reader, u32) {
  if (!reader.out.can_emit()) return;
  const SourceLoc loc = reader.program().sources.statement_loc();
  const SymbolId end = begin_subsection(reader.out, DEBUG_S_STRINGTABLE, loc);
  if (!reader.program().codeview.strings_placed && reader.program().is_coff)
    add_codeview_piece(reader.out, CodeViewPieceKind::strings, loc);
  reader.program().codeview.strings_placed = true;
  reader.out.emit_align(2, 1, 0, 0, loc);
  reader.out.define_label(end, loc);
}

void directive_cv_filechecksums(Reader& reader, u32) {
  CodeView& cv = reader.program().codeview;
  if (cv.files.empty() || !reader.out.can_emit()) return;
  const SourceLoc loc = reader.program().sources.statement_loc();
  const SymbolId end = begin_subsection(reader.out, DEBUG_S_FILECHKSMS, loc);
  u32 offset = 0;
  for (u32 i = 1; i <= cv.files.size(); ++i) {
    CodeViewFile& f = file_slot(reader.program(), i);
    f.offset = offset;
    Symbol& s = reader.program().symbols[f.offset_symbol];
    if (!s.is_defined()) {
      s.kind = SymbolKind::absolute;
      s.value = offset;
    }
    reader.out.emit_int(f.name, 4);
    if (!f.checksum_kind) {
      reader.out.emit_int(0, 4);
      offset += 8;
      continue;
    }
    reader.out.emit_int(f.checksum.size(), 1);
    reader.out.emit_int(f.checksum_kind, 1);
    reader.out.emit_bytes(f.checksum.data(), f.checksum.size());
    offset = (offset + 6 + u32(f.checksum.size()) + 3) & ~u32(3);
    reader.out.emit_align(2, 1, 0, 0, loc);
  }
  cv.offsets_known = true;
  reader.out.define_label(end, loc);
}

/// .cv_filechecksumoffset file
void directive_cv_filechecksumoffset(Reader& reader, u32) {
  u32 number;
  const SourceLoc loc = reader.program().sources.statement_loc();
  if (parse_file_number(reader, number)) emit_checksum_offset(reader.out, number, loc);
}

// Frame data of 32-bit code

namespace {

constexpr std::string_view frame_registers[] = {"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"};

FrameData* open_prologue(Reader& reader) {
  CodeView& cv = reader.program().codeview;
  if (cv.frame_open && cv.frames.back().prologue_end == no_symbol) return &cv.frames.back();
  reader.error("this stands between .cv_fpo_proc and .cv_fpo_endprologue");
  reader.skip_statement();
  return nullptr;
}

/// What a debugger does to find the caller's registers, in postfix notation; one record of frame data.
class FrameWriter {
 public:
  FrameWriter(Streamer& out, const FrameData& f, SourceLoc loc) : out_(out), f_(f), loc_(loc) {}

  void write() {
    record(f_.begin);
    for (const FrameOperation& o : f_.operations) {
      switch (o.kind) {
        case FrameOperation::push:
          offset_ += 4;
          saved_size_ += 4;
          saved_.emplace_back(o.value, offset_);
          break;
        case FrameOperation::set_frame:
          frame_ = int(o.value);
          frame_offset_ = offset_;
          break;
        case FrameOperation::align:
          before_align_ = offset_;
          align_ = o.value;
          break;
        case FrameOperation::allocate:
          offset_ += o.value;
          locals_ += o.value;
          if (frame_ >= 0) continue;  // nothing is found through the stack pointer any more
          break;
      }
      record(o.at);
    }
  }

 private:
  std::string program() const {
    const std::string_view cfa = align_ ? "$T1" : "$T0";
    std::string p;
    if (frame_ >= 0) {
      p += fmt::format("{} ${} {} + = ", cfa, frame_registers[frame_], frame_offset_);
      if (align_) p += fmt::format("$T0 {} {} - {} @ = ", cfa, before_align_, align_);
    } else {
      p += fmt::format("{} .raSearch = ", cfa);
    }
    p += fmt::format("$eip {} ^ = $esp {} 4 + = ", cfa, cfa);
    for (const auto& [reg, offset] : saved_) p += fmt::format("${} {} {} - ^ = ", frame_registers[reg], cfa, offset);
    return p;
  }

  void record(SymbolId at) {
    constexpr u32 is_function_start = 4;
    emit_difference(out_, at, f_.begin, 4, loc_);
    emit_difference(out_, f_.end, at, 4, loc_);
    out_.emit_int(locals_, 4);
    out_.emit_int(f_.parameters, 4);
    out_.emit_int(0, 4);  // the greatest size of the stack: never told
    out_.emit_int(out_.program.codeview.add_string(program()), 4);
    emit_difference(out_, f_.prologue_end, at, 2, loc_);
    out_.emit_int(saved_size_, 2);
    out_.emit_int(at == f_.begin ? is_function_start : 0, 4);
  }

  Streamer& out_;
  const FrameData& f_;
  SourceLoc loc_;
  int frame_ = -1;
  u32 frame_offset_ = 0, offset_ = 0, locals_ = 0, saved_size_ = 0, before_align_ = 0, align_ = 0;
  std::vector<std::pair<u32, u32>> saved_;
};

}  // namespace

/// .cv_fpo_proc symbol [bytes of parameters]
void directive_cv_fpo_proc(Reader& reader, u32) {
  FrameData f{.loc = reader.program().sources.statement_loc()};
  i64 parameters = 0;
  if (!parse_symbol(reader, f.function, "the function")) return;
  if (!at_end_of_statement(reader) && !parse_number(reader, parameters, "the size of the parameters")) return;
  if (!at_end_of_statement(reader)) return;
  if (reader.program().codeview.frame_open)
    return reader.error("the frame data before this are not closed; .cv_fpo_endproc closes them");
  f.begin = reader.out.make_label_here();
  f.parameters = u32(parameters);
  reader.program().codeview.frames.push_back(std::move(f));
  reader.program().codeview.frame_open = true;
}

/// .cv_fpo_pushreg register      .cv_fpo_setframe register
void directive_cv_fpo_register(Reader& reader, u32 set_frame) {
  FrameData* f = open_prologue(reader);
  if (!f) return;
  skip_blanks(reader);
  const char* where = reader.p;
  if (*reader.p == '%') ++reader.p;
  const std::string_view name(reader.p, name_length(reader.p));
  for (u32 i = 0; i < std::size(frame_registers); ++i) {
    if (frame_registers[i] != name) continue;
    reader.p += name.size();
    f->operations.push_back(
        {set_frame ? FrameOperation::set_frame : FrameOperation::push, i, reader.out.make_label_here()});
    return;
  }
  reader.error(where, "expected a 32-bit general register");
}

/// .cv_fpo_stackalloc bytes      .cv_fpo_stackalign bytes
void directive_cv_fpo_number(Reader& reader, u32 align) {
  FrameData* f = open_prologue(reader);
  i64 number;
  if (!f || !parse_number(reader, number, "a number of bytes")) return;
  bool has_frame = false;
  for (const FrameOperation& o : f->operations) has_frame |= o.kind == FrameOperation::set_frame;
  if (align && !has_frame)
    return reader.error("the stack can be aligned when there is a frame register (.cv_fpo_setframe)");
  f->operations.push_back(
      {align ? FrameOperation::align : FrameOperation::allocate, u32(number), reader.out.make_label_here()});
}

void directive_cv_fpo_endprologue(Reader& reader, u32) {
  FrameData* f = open_prologue(reader);
  if (f && at_end_of_statement(reader)) f->prologue_end = reader.out.make_label_here();
}

void directive_cv_fpo_endproc(Reader& reader, u32) {
  CodeView& cv = reader.program().codeview;
  if (!at_end_of_statement(reader)) return;
  if (!cv.frame_open) return reader.error(".cv_fpo_endproc without .cv_fpo_proc");
  FrameData& f = cv.frames.back();
  cv.frame_open = false;
  if (f.prologue_end == no_symbol) {
    if (!f.operations.empty()) return reader.error("the prologue has no end; .cv_fpo_endprologue says where it is");
    f.prologue_end = f.begin;
  }
  f.end = reader.out.make_label_here();
}

/// .cv_fpo_data symbol
void directive_cv_fpo_data(Reader& reader, u32) {
  const SourceLoc loc = reader.program().sources.statement_loc();
  SymbolId id;
  if (!parse_symbol(reader, id, "the function") || !reader.program().is_coff) return;
  for (const FrameData& f : reader.program().codeview.frames) {
    if (f.function != id || f.end == no_symbol) continue;
    const SymbolId end = begin_subsection(reader.out, DEBUG_S_FRAMEDATA, loc);
    emit_modified(reader.out, id, "IMGREL", 4, loc);
    FrameWriter(reader.out, f, loc).write();
    reader.out.emit_align(2, 1, 0, 0, loc);
    reader.out.define_label(end, loc);
    return;
  }
  reader.error(fmt::format("there are no frame data of '{}'", reader.program().symbols[id].text()));
}

}  // namespace xas
