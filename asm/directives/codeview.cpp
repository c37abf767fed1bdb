// The .cv_* directives: CodeView debug information (asm/codeview.h), as LLVM has them.
#include <fmt/format.h>

#include "asm/directives/codeview.h"
#include "asm/parse.h"

namespace xas {

namespace {

constexpr i64 most_files = 1 << 20;

// Kinds of subsections of .debug$S
constexpr u32 DEBUG_S_LINES = 0xf2;
constexpr u32 DEBUG_S_STRINGTABLE = 0xf3;
constexpr u32 DEBUG_S_FILECHKSMS = 0xf4;
constexpr u32 DEBUG_S_FRAMEDATA = 0xf5;

/// A plain number up to `limit`.
bool parse_number(Assembler& a, i64& number, std::string_view what, i64 low = 0, i64 limit = i64(~u32(0)) - 1) {
  skip_blanks(a);
  const char* where = a.p;
  u64 value;
  bool overflow = false;
  const char* const end = *where == '-' ? nullptr : plain_number(where, value);
  if (end && !a.chars.is(*end, char_name)) a.p = end;
  else if (!scan_number(a.p, value, overflow)) return a.error(where, fmt::format("expected {}", what)), false;
  number = i64(value);
  if (!overflow && number >= low && number <= limit) return true;
  return a.error(where, fmt::format("{} {} is not between {} and {}", what, value, low, limit)), false;
}

bool at_number(Assembler& a) {
  skip_blanks(a);
  return u8(*a.p - '0') <= 9;
}

bool parse_file_number(Assembler& a, u32& number) {
  const char* where = a.p;
  i64 value;
  if (!parse_number(a, value, "a file number", 1)) return false;
  number = u32(value);
  if (a.codeview.file(number)) return true;
  return a.error(where, fmt::format("there is no file {}; .cv_file gives numbers to files", value)), false;
}

bool parse_function_id(Assembler& a, u32& id) {
  i64 value;
  if (!parse_number(a, value, "a function id")) return false;
  id = u32(value);
  return true;
}

bool expect_word(Assembler& a, std::string_view word) {
  skip_blanks(a);
  if (std::string_view(a.p, name_length(a.p)) != word) return a.error_here(fmt::format("expected '{}'", word)), false;
  a.p += word.size();
  return true;
}

CodeViewFunction* new_function(Assembler& a, u32 id, const char* where) {
  const auto [it, is_new] = a.codeview.functions.try_emplace(id);
  if (is_new) return &it->second;
  a.error(where, fmt::format("function id {} is in use already", id));
  return nullptr;
}

void emit_difference(Assembler& a, SymbolId to, SymbolId from, unsigned size, SourceLoc loc) {
  Value v{.add = to, .sub = from};
  a.fold(v);
  a.emit_value(v, size, loc);
}

void emit_modified(Assembler& a, SymbolId symbol, std::string_view modifier, unsigned size, SourceLoc loc) {
  a.symbols[symbol].flags |= symbol_referenced;
  a.emit_value({.add = symbol, .modifier = a.target.modifier(modifier)}, size, loc);
}

/// The head of a subsection; its size is the distance to `end`, which the caller defines.
SymbolId begin_subsection(Assembler& a, u32 kind, SourceLoc loc) {
  const SymbolId end = a.symbols.make_anonymous();
  a.emit_int(kind, 4);
  const SymbolId begin = a.symbols.make_anonymous();
  emit_difference(a, end, begin, 4, loc);
  a.define_label(begin, loc);
  return end;
}

CodeViewFile& file_slot(Assembler& a, u32 number) {
  std::vector<CodeViewFile>& files = a.codeview.files;
  if (files.size() < number) files.resize(number);
  CodeViewFile& f = files[number - 1];
  if (f.offset_symbol == no_symbol) f.offset_symbol = a.symbols.make_anonymous();
  return f;
}

void emit_checksum_offset(Assembler& a, u32 number, SourceLoc loc) {
  const CodeViewFile& f = file_slot(a, number);
  if (a.codeview.offsets_known) return a.emit_int(f.offset, 4);
  a.emit_value({.add = f.offset_symbol}, 4, loc);
}

}  // namespace

/// .cv_file number "name" [ "checksum" kind ]
void directive_cv_file(Assembler& a, u32) {
  skip_blanks(a);
  const char* where = a.p;
  i64 number;
  std::string name, checksum;
  if (!parse_number(a, number, "a file number", 1, most_files) || !parse_string(a, name)) return;
  i64 kind = 0;
  if (!at_end_of_statement(a)) {
    const char* checksum_at = a.p;
    if (!parse_string(a, checksum) || !parse_number(a, kind, "the checksum's kind", 0, 255)) return;
    std::string bytes;
    for (std::size_t i = 0; i < checksum.size(); i += 2) {
      const auto digit = [&](std::size_t k) {
        const char c = k < checksum.size() ? checksum[k] : '?';
        return !a.chars.is(c, char_hex) ? -1 : u8(c - '0') <= 9 ? c - '0' : (c | 0x20) - 'a' + 10;
      };
      if (digit(i) < 0 || digit(i + 1) < 0) return a.error(checksum_at, "a checksum is pairs of hexadecimal digits");
      bytes.push_back(char(digit(i) << 4 | digit(i + 1)));
    }
    checksum = std::move(bytes);
    if (checksum.size() > 255) return a.error(checksum_at, "a checksum has at most 255 bytes");
  }
  a.codeview.add_string(name);
  if (name.empty()) name = "<stdin>";
  CodeViewFile& f = file_slot(a, u32(number));
  if (f.assigned) return a.error(where, fmt::format("file number {} is in use already", number));
  f.assigned = true;
  f.name = a.codeview.add_string(name);
  f.checksum = std::move(checksum);
  f.checksum_kind = u8(kind);
}

/// .cv_func_id id
void directive_cv_func_id(Assembler& a, u32) {
  skip_blanks(a);
  const char* where = a.p;
  u32 id;
  if (parse_function_id(a, id)) new_function(a, id, where);
}

/// .cv_inline_site_id id within id inlined_at file line [column]
void directive_cv_inline_site_id(Assembler& a, u32) {
  skip_blanks(a);
  const char* where = a.p;
  u32 id, parent;
  CodeViewPlace at;
  i64 line, column = 0;
  if (!parse_function_id(a, id) || !expect_word(a, "within") || !parse_function_id(a, parent)) return;
  if (!expect_word(a, "inlined_at") || !parse_file_number(a, at.file) || !parse_number(a, line, "a line number"))
    return;
  if (at_number(a) && !parse_number(a, column, "a column")) return;
  at.line = u32(line);
  at.column = u32(column);
  auto& functions = a.codeview.functions;
  if (!functions.contains(parent)) return a.error(where, fmt::format("function id {} is not known", parent));
  constexpr unsigned max_inlinings = 1000;  // each level is recorded in all around it
  unsigned levels = 1;
  for (u32 around = parent; functions[around].parent != no_function_id; around = functions[around].parent) ++levels;
  if (levels > max_inlinings)
    return a.error(where, fmt::format("functions are inlined deeper than the limit of {} levels", max_inlinings));
  CodeViewFunction* f = new_function(a, id, where);
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
void directive_cv_loc(Assembler& a, u32) {
  CodeViewLine l{};
  if (!parse_function_id(a, l.function) || !parse_file_number(a, l.place.file)) return;
  i64 line = 0, column = 0;
  if (at_number(a) && !parse_number(a, line, "a line number")) return;
  if (at_number(a) && !parse_number(a, column, "a column")) return;
  l.place.line = u32(line);
  l.place.column = u32(column);
  while (!at_end_of_statement(a)) {
    const char* where = a.p;
    const std::string_view word(a.p, name_length(a.p));
    a.p += word.size();
    if (word == "prologue_end") continue;
    if (word != "is_stmt") return a.error(where, "expected prologue_end, is_stmt or the end of the statement");
    i64 value;
    where = a.p;
    if (!a.absolute(value, "is_stmt")) return;
    if (value != 0 && value != 1) return a.error(where, "is_stmt is 0 or 1");
    l.is_statement = value != 0;
  }
  const auto function = a.codeview.functions.find(l.function);
  if (function == a.codeview.functions.end()) {
    return a.error(a.statement_start,
                   fmt::format("function id {} is not known; .cv_func_id or .cv_inline_site_id makes it", l.function));
  }
  CodeViewFunction& f = function->second;
  if (f.section == ~u32(0)) f.section = a.current->section;
  if (f.section != a.current->section)
    return a.error(a.statement_start, "all .cv_loc of a function must be in one section");
  l.label = a.make_label_here();
  const std::size_t index = a.codeview.lines.size();
  f.first = std::min(f.first, index);
  f.end = index + 1;
  make_room(a.codeview.lines);
  a.codeview.lines.push_back(l);
}

/// .cv_linetable function, begin, end
void directive_cv_linetable(Assembler& a, u32) {
  constexpr u32 CV_LINES_HAVE_COLUMNS = 1;
  constexpr u32 statement_bit = 0x80000000;
  const SourceLoc loc = a.loc_of(a.statement_start);
  u32 id;
  SymbolId begin, end;
  if (!parse_function_id(a, id) || !expect_comma(a, "the function id") ||
      !parse_symbol(a, begin, "the function's begin"))
    return;
  if (!expect_comma(a, "the function's begin") || !parse_symbol(a, end, "the function's end")) return;

  const SymbolId subsection_end = begin_subsection(a, DEBUG_S_LINES, loc);
  emit_modified(a, begin, "SECREL32", 4, loc);
  emit_modified(a, begin, "SECIDX", 2, loc);
  const std::vector<CodeViewLine> lines = codeview_lines(a.codeview, id);
  bool columns = false;
  for (const CodeViewLine& l : lines) columns |= l.place.column != 0;
  a.emit_int(columns ? CV_LINES_HAVE_COLUMNS : 0, 2);
  emit_difference(a, end, begin, 4, loc);
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t j = i;
    while (j < lines.size() && lines[j].place.file == lines[i].place.file) ++j;
    emit_checksum_offset(a, lines[i].place.file, loc);
    a.emit_int(j - i, 4);
    a.emit_int(12 + (columns ? 12 : 8) * (j - i), 4);
    for (std::size_t k = i; k < j; ++k) {
      emit_difference(a, lines[k].label, begin, 4, loc);
      a.emit_int(lines[k].place.line | (lines[k].is_statement ? statement_bit : 0), 4);
    }
    for (std::size_t k = i; columns && k < j; ++k) a.emit_int(lines[k].place.column & 0xffff, 4);
    i = j;
  }
  a.define_label(subsection_end, loc);
}

/// .cv_inline_linetable function file line begin end
void directive_cv_inline_linetable(Assembler& a, u32) {
  u32 id;
  i64 file, line;
  SymbolId begin, end;
  const SourceLoc loc = a.loc_of(a.statement_start);
  if (!parse_function_id(a, id) || !parse_number(a, file, "a file number", 1) ||
      !parse_number(a, line, "a line number"))
    return;
  if (!parse_symbol(a, begin, "the function's begin") || !parse_symbol(a, end, "the function's end") || !a.can_emit())
    return;
  CodeViewPiece& piece = add_codeview_piece(a, CodeViewPieceKind::inlined_lines, loc);
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

}  // namespace

/// .cv_def_range begin end [begin end]..., kind, field [, field]...
void directive_cv_def_range(Assembler& a, u32) {
  const SourceLoc loc = a.loc_of(a.statement_start);
  std::vector<std::pair<SymbolId, SymbolId>> ranges;
  skip_blanks(a);
  while (*a.p != ',' && !at_end_of_statement(a)) {
    SymbolId begin, end;
    if (!parse_symbol(a, begin, "a range's begin") || !parse_symbol(a, end, "a range's end")) return;
    ranges.emplace_back(begin, end);
    skip_blanks(a);
  }
  if (!expect_comma(a, "the ranges")) return;
  const char* where = a.p;
  const std::string_view word(a.p, name_length(a.p));
  for (const RangeKind& kind : range_kinds) {
    if (kind.name != word) continue;
    a.p += word.size();
    std::string header{char(kind.record & 0xff), char(kind.record >> 8)};
    for (unsigned i = 0; i < 4 && kind.sizes[i]; ++i) {
      i64 value = 0;
      if (kind.read >> i & 1) {
        if (!expect_comma(a, i ? "the field before" : "the range's kind") || !a.absolute(value, "this field")) return;
      }
      for (unsigned k = 0; k < kind.sizes[i]; ++k) header.push_back(char(value >> (8 * k)));
    }
    if (!a.can_emit()) return;
    CodeViewPiece& piece = add_codeview_piece(a, CodeViewPieceKind::ranges, loc);
    piece.header = std::move(header);
    piece.ranges = std::move(ranges);
    return;
  }
  a.error(where, "expected a kind of range: reg, frame_ptr_rel, subfield_reg, reg_rel or reg_rel_indir");
}

/// .cv_string "text": its offset in the string table
void directive_cv_string(Assembler& a, u32) {
  std::string text;
  if (parse_string(a, text)) a.emit_int(a.codeview.add_string(text), 4);
}

void directive_cv_stringtable(Assembler& a, u32) {
  if (!a.can_emit()) return;
  const SourceLoc loc = a.loc_of(a.statement_start);
  const SymbolId end = begin_subsection(a, DEBUG_S_STRINGTABLE, loc);
  if (!a.codeview.strings_placed) add_codeview_piece(a, CodeViewPieceKind::strings, loc);
  a.codeview.strings_placed = true;
  a.emit_align(2, 1, 0, 0, loc);
  a.define_label(end, loc);
}

void directive_cv_filechecksums(Assembler& a, u32) {
  CodeView& cv = a.codeview;
  if (cv.files.empty() || !a.can_emit()) return;
  const SourceLoc loc = a.loc_of(a.statement_start);
  const SymbolId end = begin_subsection(a, DEBUG_S_FILECHKSMS, loc);
  u32 offset = 0;
  for (u32 i = 1; i <= cv.files.size(); ++i) {
    CodeViewFile& f = file_slot(a, i);
    f.offset = offset;
    Symbol& s = a.symbols[f.offset_symbol];
    if (!s.is_defined()) {
      s.kind = SymbolKind::absolute;
      s.value = offset;
    }
    a.emit_int(f.name, 4);
    if (!f.checksum_kind) {
      a.emit_int(0, 4);
      offset += 8;
      continue;
    }
    a.emit_int(f.checksum.size(), 1);
    a.emit_int(f.checksum_kind, 1);
    a.emit_bytes(f.checksum.data(), f.checksum.size());
    offset = (offset + 6 + u32(f.checksum.size()) + 3) & ~u32(3);
    a.emit_align(2, 1, 0, 0, loc);
  }
  cv.offsets_known = true;
  a.define_label(end, loc);
}

/// .cv_filechecksumoffset file
void directive_cv_filechecksumoffset(Assembler& a, u32) {
  i64 number;
  const SourceLoc loc = a.loc_of(a.statement_start);
  if (parse_number(a, number, "a file number", 1, most_files)) emit_checksum_offset(a, u32(number), loc);
}

// Frame data of 32-bit code

namespace {

constexpr std::string_view frame_registers[] = {"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"};

FrameData* open_prologue(Assembler& a) {
  CodeView& cv = a.codeview;
  if (cv.frame_open && cv.frames.back().prologue_end == no_symbol) return &cv.frames.back();
  a.error(a.statement_start, "this stands between .cv_fpo_proc and .cv_fpo_endprologue");
  a.skip_statement();
  return nullptr;
}

/// What a debugger does to find the caller's registers, in postfix notation; one record of frame data.
class FrameWriter {
 public:
  FrameWriter(Assembler& a, const FrameData& f, SourceLoc loc) : a_(a), f_(f), loc_(loc) {}

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
    emit_difference(a_, at, f_.begin, 4, loc_);
    emit_difference(a_, f_.end, at, 4, loc_);
    a_.emit_int(locals_, 4);
    a_.emit_int(f_.parameters, 4);
    a_.emit_int(0, 4);  // the greatest size of the stack: never told
    a_.emit_int(a_.codeview.add_string(program()), 4);
    emit_difference(a_, f_.prologue_end, at, 2, loc_);
    a_.emit_int(saved_size_, 2);
    a_.emit_int(at == f_.begin ? is_function_start : 0, 4);
  }

  Assembler& a_;
  const FrameData& f_;
  SourceLoc loc_;
  int frame_ = -1;
  u32 frame_offset_ = 0, offset_ = 0, locals_ = 0, saved_size_ = 0, before_align_ = 0, align_ = 0;
  std::vector<std::pair<u32, u32>> saved_;
};

}  // namespace

/// .cv_fpo_proc symbol [bytes of parameters]
void directive_cv_fpo_proc(Assembler& a, u32) {
  FrameData f{.loc = a.loc_of(a.statement_start)};
  i64 parameters = 0;
  if (!parse_symbol(a, f.function, "the function")) return;
  if (!at_end_of_statement(a) && !parse_number(a, parameters, "the size of the parameters")) return;
  if (!at_end_of_statement(a)) return;
  if (a.codeview.frame_open)
    return a.error(a.statement_start, "the frame data before this are not closed; .cv_fpo_endproc closes them");
  f.begin = a.make_label_here();
  f.parameters = u32(parameters);
  a.codeview.frames.push_back(std::move(f));
  a.codeview.frame_open = true;
}

/// .cv_fpo_pushreg register      .cv_fpo_setframe register
void directive_cv_fpo_register(Assembler& a, u32 set_frame) {
  FrameData* f = open_prologue(a);
  if (!f) return;
  skip_blanks(a);
  const char* where = a.p;
  if (*a.p == '%') ++a.p;
  const std::string_view name(a.p, name_length(a.p));
  for (u32 i = 0; i < std::size(frame_registers); ++i) {
    if (frame_registers[i] != name) continue;
    a.p += name.size();
    f->operations.push_back({set_frame ? FrameOperation::set_frame : FrameOperation::push, i, a.make_label_here()});
    return;
  }
  a.error(where, "expected a 32-bit general register");
}

/// .cv_fpo_stackalloc bytes      .cv_fpo_stackalign bytes
void directive_cv_fpo_number(Assembler& a, u32 align) {
  FrameData* f = open_prologue(a);
  i64 number;
  if (!f || !parse_number(a, number, "a number of bytes")) return;
  bool has_frame = false;
  for (const FrameOperation& o : f->operations) has_frame |= o.kind == FrameOperation::set_frame;
  if (align && !has_frame)
    return a.error(a.statement_start, "the stack can be aligned when there is a frame register (.cv_fpo_setframe)");
  f->operations.push_back({align ? FrameOperation::align : FrameOperation::allocate, u32(number), a.make_label_here()});
}

void directive_cv_fpo_endprologue(Assembler& a, u32) {
  FrameData* f = open_prologue(a);
  if (f && at_end_of_statement(a)) f->prologue_end = a.make_label_here();
}

void directive_cv_fpo_endproc(Assembler& a, u32) {
  CodeView& cv = a.codeview;
  if (!at_end_of_statement(a)) return;
  if (!cv.frame_open) return a.error(a.statement_start, ".cv_fpo_endproc without .cv_fpo_proc");
  FrameData& f = cv.frames.back();
  cv.frame_open = false;
  if (f.prologue_end == no_symbol) {
    if (!f.operations.empty())
      return a.error(a.statement_start, "the prologue has no end; .cv_fpo_endprologue says where it is");
    f.prologue_end = f.begin;
  }
  f.end = a.make_label_here();
}

/// .cv_fpo_data symbol
void directive_cv_fpo_data(Assembler& a, u32) {
  const SourceLoc loc = a.loc_of(a.statement_start);
  SymbolId id;
  if (!parse_symbol(a, id, "the function")) return;
  for (const FrameData& f : a.codeview.frames) {
    if (f.function != id || f.end == no_symbol) continue;
    const SymbolId end = begin_subsection(a, DEBUG_S_FRAMEDATA, loc);
    emit_modified(a, id, "IMGREL", 4, loc);
    FrameWriter(a, f, loc).write();
    a.emit_align(2, 1, 0, 0, loc);
    a.define_label(end, loc);
    return;
  }
  a.error(a.statement_start, fmt::format("there are no frame data of '{}'", a.symbols[id].text()));
}

}  // namespace xas
