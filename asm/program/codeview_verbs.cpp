// SPDX-License-Identifier: Apache-2.0
// See codeview_verbs.h.
#include "asm/program/codeview_verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace xas {

namespace {

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

}  // namespace

std::string define_codeview_file(Program& program, u32 number, std::string name, std::string checksum, u8 kind) {
  program.codeview.add_string(name);
  if (name.empty()) name = "<stdin>";
  CodeViewFile& f = file_slot(program, number);
  if (f.assigned) return fmt::format("file number {} is in use already", number);
  f.assigned = true;
  f.name = program.codeview.add_string(name);
  f.checksum = std::move(checksum);
  f.checksum_kind = kind;
  return {};
}

std::string define_codeview_function(Program& program, u32 id) {
  CodeViewFunctions& functions = program.codeview.functions;
  if (functions.find(id) != no_function) return fmt::format("function id {} is in use already", id);
  functions.add(id);
  return {};
}

std::string define_inline_site(Program& program, u32 id, u32 parent, CodeViewPlace at) {
  CodeViewFunctions& functions = program.codeview.functions;
  const u32 outer = functions.find(parent);
  if (outer == no_function) return fmt::format("function id {} is not known", parent);
  constexpr unsigned max_inlinings = 1000;  // a line is noted at each level
  const u32 level = functions[outer].level + 1;
  if (level > max_inlinings)
    return fmt::format("functions are inlined deeper than the limit of {} levels", max_inlinings);
  if (std::string problem = define_codeview_function(program, id); !problem.empty()) return problem;
  CodeViewFunction& f = functions[functions.find(id)];
  f.parent = outer;
  f.level = level;
  f.inlined_at = at;
  return {};
}

std::string add_codeview_line(Streamer& out, u32 id, CodeViewPlace place, bool is_statement) {
  CodeView& cv = out.program.codeview;
  const u32 number = cv.functions.find(id);
  if (number == no_function)
    return fmt::format("function id {} is not known; .cv_func_id or .cv_inline_site_id makes it", id);
  CodeViewFunction& f = cv.functions[number];
  if (f.section == ~u32(0)) f.section = out.current->section;
  if (f.section != out.current->section) return "all .cv_loc of a function must be in one section";
  const u32 index = u32(cv.lines.size());
  for (u32 around = number; around != no_function; around = cv.functions[around].parent) {
    cv.functions[around].first = std::min(cv.functions[around].first, index);
    cv.functions[around].end = index + 1;
  }
  make_room(cv.lines);
  cv.lines.push_back({out.make_label_here(), number, place, is_statement});
  return {};
}

void emit_checksum_offset(Streamer& out, u32 number) {
  CodeView& cv = out.program.codeview;
  const SourceLoc loc = out.program.sources.statement_loc();
  const CodeViewFile& f = file_slot(out.program, number);
  if (cv.offset_needed == 0) cv.offset_needed = loc;
  if (cv.offsets_known) return out.emit_int(f.offset, 4);
  out.emit_value({.add = f.offset_symbol}, 4, loc);
}

void emit_codeview_lines(Streamer& out, u32 function, SymbolId begin, SymbolId end) {
  constexpr u32 CV_LINES_HAVE_COLUMNS = 1;
  constexpr u32 statement_bit = 0x80000000;
  const SourceLoc loc = out.program.sources.statement_loc();
  const SymbolId subsection_end = begin_subsection(out, DEBUG_S_LINES, loc);
  emit_modified(out, begin, "SECREL32", 4, loc);
  emit_modified(out, begin, "SECIDX", 2, loc);
  const std::vector<CodeViewLine> lines = codeview_lines(out.program.codeview, function);
  bool columns = false;
  for (const CodeViewLine& l : lines) columns |= l.place.column != 0;
  out.emit_int(columns ? CV_LINES_HAVE_COLUMNS : 0, 2);
  emit_difference(out, end, begin, 4, loc);
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t j = i;
    while (j < lines.size() && lines[j].place.file == lines[i].place.file) ++j;
    emit_checksum_offset(out, lines[i].place.file);
    out.emit_int(j - i, 4);
    out.emit_int(12 + (columns ? 12 : 8) * (j - i), 4);
    for (std::size_t k = i; k < j; ++k) {
      emit_difference(out, lines[k].label, begin, 4, loc);
      out.emit_int(lines[k].place.line | (lines[k].is_statement ? statement_bit : 0), 4);
    }
    for (std::size_t k = i; columns && k < j; ++k) out.emit_int(lines[k].place.column & 0xffff, 4);
    i = j;
  }
  out.define_label(subsection_end, loc);
}

void emit_inlined_lines(Streamer& out, u32 function, CodeViewPlace from, SymbolId begin, SymbolId end) {
  if (!out.can_emit()) return;
  CodeView& cv = out.program.codeview;
  add_piece(out, PieceKind::inlined_lines, u32(cv.inlined_lines.size()),
                     out.program.sources.statement_loc());
  cv.inlined_lines.push_back({function, from.file, from.line, begin, end});
}

void emit_codeview_ranges(Streamer& out, std::string_view header, u32 first) {
  if (!out.can_emit()) return;
  CodeView& cv = out.program.codeview;
  add_piece(out, PieceKind::ranges, u32(cv.range_lists.size()), out.program.sources.statement_loc());
  make_room(cv.range_lists);
  cv.range_lists.push_back({u32(cv.range_headers.size()), u32(header.size()), first, u32(cv.ranges.size())});
  cv.range_headers += header;
}

void emit_codeview_strings(Streamer& out) {
  if (!out.can_emit()) return;
  const SourceLoc loc = out.program.sources.statement_loc();
  const SymbolId end = begin_subsection(out, DEBUG_S_STRINGTABLE, loc);
  if (!out.program.codeview.strings_placed && out.program.is_coff)
    add_piece(out, PieceKind::strings, 0, loc);
  out.program.codeview.strings_placed = true;
  out.emit_align(2, 1, 0, 0, loc);
  out.define_label(end, loc);
}

void emit_checksums(Streamer& out) {
  CodeView& cv = out.program.codeview;
  if (cv.files.empty() || !out.can_emit()) return;
  const SourceLoc loc = out.program.sources.statement_loc();
  const SymbolId end = begin_subsection(out, DEBUG_S_FILECHKSMS, loc);
  u32 offset = 0;
  for (u32 i = 1; i <= cv.files.size(); ++i) {
    CodeViewFile& f = file_slot(out.program, i);
    f.offset = offset;
    Symbol& s = out.program.symbols[f.offset_symbol];
    if (!s.is_defined()) {
      s.kind = SymbolKind::absolute;
      s.value = offset;
    }
    out.emit_int(f.name, 4);
    if (!f.checksum_kind) {
      out.emit_int(0, 4);
      offset += 8;
      continue;
    }
    out.emit_int(f.checksum.size(), 1);
    out.emit_int(f.checksum_kind, 1);
    out.emit_bytes(f.checksum.data(), f.checksum.size());
    offset = (offset + 6 + u32(f.checksum.size()) + 3) & ~u32(3);
    out.emit_align(2, 1, 0, 0, loc);
  }
  cv.offsets_known = true;
  out.define_label(end, loc);
}

// Frame data of 32-bit code

namespace {

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
      p += fmt::format("{} ${} {} + = ", cfa, frame_data_registers[frame_], frame_offset_);
      if (align_) p += fmt::format("$T0 {} {} - {} @ = ", cfa, before_align_, align_);
    } else {
      p += fmt::format("{} .raSearch = ", cfa);
    }
    p += fmt::format("$eip {} ^ = $esp {} 4 + = ", cfa, cfa);
    for (const auto& [reg, offset] : saved_)
      p += fmt::format("${} {} {} - ^ = ", frame_data_registers[reg], cfa, offset);
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

bool in_frame_prologue(const Program& program) {
  return program.codeview.frame_open && program.codeview.frames.back().prologue_end == no_symbol;
}

bool has_frame_register(const Program& program) {
  const std::vector<FrameOperation>& all = program.codeview.frames.back().operations;
  return std::any_of(all.begin(), all.end(),
                     [](const FrameOperation& o) { return o.kind == FrameOperation::set_frame; });
}

void begin_frame_data(Streamer& out, SymbolId function, u32 parameters) {
  out.program.codeview.frames.push_back({.function = function,
                                         .begin = out.make_label_here(),
                                         .parameters = parameters,
                                         .operations = {},
                                         .loc = out.program.sources.statement_loc()});
  out.program.codeview.frame_open = true;
}

void add_frame_operation(Streamer& out, FrameOperation::Kind kind, u32 value) {
  out.program.codeview.frames.back().operations.push_back({kind, value, out.make_label_here()});
}

void end_frame_prologue(Streamer& out) { out.program.codeview.frames.back().prologue_end = out.make_label_here(); }

bool end_frame_data(Streamer& out) {
  FrameData& f = out.program.codeview.frames.back();
  out.program.codeview.frame_open = false;
  if (f.prologue_end == no_symbol) {
    if (!f.operations.empty()) return false;
    f.prologue_end = f.begin;
  }
  f.end = out.make_label_here();
  out.program.codeview.frame_of.try_emplace(f.function, u32(out.program.codeview.frames.size() - 1));
  return true;
}

bool emit_frame_data(Streamer& out, SymbolId function) {
  const SourceLoc loc = out.program.sources.statement_loc();
  const auto found = out.program.codeview.frame_of.find(function);
  if (found == out.program.codeview.frame_of.end()) return false;
  const SymbolId end = begin_subsection(out, DEBUG_S_FRAMEDATA, loc);
  emit_modified(out, function, "IMGREL", 4, loc);
  FrameWriter(out, out.program.codeview.frames[found->second], loc).write();
  out.emit_align(2, 1, 0, 0, loc);
  out.define_label(end, loc);
  return true;
}

}  // namespace xas
