// SPDX-License-Identifier: Apache-2.0
// -g: rows for the assembly source itself. Each instruction gets one (llvm), or each line that has instructions (gnu).
//
// The line of an instruction is found by counting newlines from where the last one was found, for each open buffer on
// its own, so that every byte of the source is looked at once. Text that a macro made counts as the line of the
// outermost call. A directive `.file N` says that the source has line numbers of its own: then all of this is
// forgotten.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "asm/program/dwarf_line.h"
#include "asm/text/md5.h"
#include "asm/program/streamer.h"
#include "objwriter/elf_constants.h"

namespace xas {

bool has_generated_rows(const Program& program, const Section& section) {
  if (program.is_coff && program.profile.coff_lines_of_text_only) return &section == program.text;
  return section.is_code() && !section.nobits &&
         (program.profile.rows_for_unloaded_code || (section.flags & elf::SHF_ALLOC));
}

const std::string& DwarfLines::working_dir(Program& program) {
  if (!program.options.working_dir.empty()) return program.options.working_dir;
  if (working_dir_.empty()) {
    // $PWD keeps the symbolic links of the path that the user sees, and counts if it leads to the same place.
    std::error_code error;
    const char* pwd = std::getenv("PWD");
    if (pwd && *pwd == '/' && std::filesystem::equivalent(pwd, ".", error) && !error) {
      working_dir_ = pwd;
    } else {
      working_dir_ = std::filesystem::current_path(error).string();
    }
  }
  return working_dir_;
}

std::string remap_path(const Program& program, const std::string& path) {
  for (const auto& [from, to] : program.options.prefix_map) {
    if (path.starts_with(from)) return to + path.substr(from.size());
  }
  return path;
}

void DwarfLines::define_root_file(Program& program) {
  const SourceBuffer& main = program.sources.buffers().front();
  const std::string& compilation = working_dir(program);
  FileDirective root{.number = 0, .has_directory = true, .directory = compilation};
  // Preprocessed text goes by the name of its first line marker. It has no checksum, and neither have pieces.
  const bool marked = program.sources.markers() != 0;
  std::string& name = root.file.name;
  name = marked                               ? program.sources.first_marker().file
         : !program.options.main_file.empty() ? program.options.main_file
                                              : std::string(main.name);
  if (name.empty() || name == "-") name = "<stdin>";
  if (name.starts_with(compilation)) {
    name.erase(0, compilation.size());
    if (name.starts_with('/')) name.erase(0, 1);
  }
  root.file.has_md5 = versions_.dwarf >= 5 && !marked && !main.is_piece;
  if (root.file.has_md5) {
    program.sources.wait_for_all();
    md5({main.begin, main.size()}, root.file.md5);
  }
  files.define(program, std::move(root), 0);
  // Earlier versions have no file 0 in their tables, so that the main source has to be file 1.
  if (versions_.dwarf < 5) files.number_of(program, files.files[0].name);
}

void DwarfLines::ensure_root_file(Program& program) {
  const bool renamed =
      versions_.dwarf >= 5 && !files.files.empty() && files.files[0].has_md5 && program.sources.markers() != 0;
  if (renamed) files = {};  // known by the input's name so far
  if (files.files.empty()) define_root_file(program);
}

u32 DwarfLines::generated_file(Program& program, std::string_view name, bool from_marker) {
  if (!program.profile.split_file_0) {
    ensure_root_file(program);
    if (!from_marker) return versions_.dwarf < 5;
    if (versions_.dwarf >= 5 && files.files[0].name == name) return 0;
    return files.number_of(program, std::string(name));
  }
  const auto [entry, fresh] = generator_.index.try_emplace(std::string(name), u32(generated.names.size()));
  if (fresh) generated.names.emplace_back(name);
  return entry->second;
}

const DwarfLines::Tracked& DwarfLines::source_line(Streamer& out, const char* at) {
  const SourceBuffer* buffer = out.program.sources.current;
  const std::size_t markers = out.program.sources.markers();
  while (!generator_.tracked.empty() && generator_.tracked.back().buffer != buffer) {
    // Left for good, unless the present buffer is one that it includes.
    const bool open = std::any_of(out.program.sources.open.begin(), out.program.sources.open.end(),
                                  [&](const OpenSource& o) { return o.buffer == generator_.tracked.back().buffer; });
    if (open) break;
    generator_.tracked.pop_back();
  }
  const bool known =
      !generator_.tracked.empty() && generator_.tracked.back().buffer == buffer && generator_.tracked.back().p <= at;
  if (!known) {
    if (generator_.tracked.empty() || generator_.tracked.back().buffer != buffer) generator_.tracked.push_back({});
    // The text of an expansion may begin with the end of the line that the macro's head is on.
    const u32 first = buffer->kind == BufferKind::expansion && *buffer->begin == '\n' ? 0 : 1;
    generator_.tracked.back() = {
        .buffer = buffer, .p = buffer->begin, .line = 0, .file = 0, .physical = first, .markers = ~std::size_t(0)};
  }
  Tracked& t = generator_.tracked.back();
  const u32 newlines = u32(std::count(t.p, at, '\n'));
  t.p = at;
  t.physical += newlines;
  const bool in_loop =
      out.program.profile.loops_have_lines && out.program.sources.round != 0 && buffer->kind == BufferKind::expansion;
  if (in_loop) {
    t.line = generator_.loops.find(out, at, true).line;
    if (t.markers == markers) return t;
  } else if (t.markers == markers) {
    if (buffer->kind != BufferKind::expansion) t.line += newlines;
    return t;
  }
  SourceLoc loc = buffer->loc(at);
  for (const SourceBuffer* b = buffer; b && b->kind == BufferKind::expansion; b = out.program.sources.buffer_of(loc))
    loc = b->parent;
  const Location place = out.program.sources.locate(loc);
  if (!in_loop) t.line = place.line;
  if (!out.program.profile.split_file_0) {
    // LLVM stays with the file it had behind `# 0 ""`, and counts from 0 behind `# 0 "file"`.
    const LineMarker* const marker = out.program.sources.marker_at(loc);
    if (marker && marker->file.empty()) {
      ensure_root_file(out.program);
      t.file = generator_.last_file != ~u32(0) ? generator_.last_file : versions_.dwarf < 5;
    } else {
      t.file = generated_file(out.program, place.file, markers != 0 || buffer->is_piece);
      if (marker && marker->line == 0 && !in_loop) t.line = place.line - out.program.sources.locate(marker->loc).line;
    }
  }
  t.markers = markers;
  return t;
}

/// To GNU as, what has no row is of a line too, so that the next one may be of the same line as the row before.
void DwarfLines::generate_row(Streamer& out) {
  if (out.program.profile.repeat_generated_rows && !has_generated_rows(out.program, out.current_section())) return;
  const Tracked& at = source_line(out, out.program.sources.statement);
  // Which file it is may change from line to line in GNU as.
  const u32 file = out.program.profile.split_file_0
                       ? generated_file(out.program, out.program.stab_lines.source_name.of_statement(out), false)
                       : at.file;
  generate_row(out, file, at.line);
}

void DwarfLines::generate_row(Streamer& out, u32 file, u32 line) {
  const bool same_line = line == generator_.last_line && file == generator_.last_file;
  generator_.last_line = line;
  generator_.last_file = file;
  if (same_line && !out.program.profile.repeat_generated_rows) return;
  if (!has_generated_rows(out.program, out.current_section())) return;
  current.file = file;
  current.line = line;
  current.column = 0;
  current.flags = line_is_stmt;
  add_row(out);
}

void DwarfLines::take_back(const GeneratedRow& before) {
  if (!makes_.rows) return;
  rows.resize(before.rows);
  if (runs.size() != before.runs) drop_newest_run();
  if (sections.size() != before.sections) {
    listed_[sections.back()] = false;
    sections.pop_back();
  }
  generator_.last_file = before.file;
  generator_.last_line = before.line;
}

/// GNU as on ARM: a literal is on the line that asked for it first.
void DwarfLines::before_literal(Streamer& out, SourceLoc loc) {
  if (!makes_.rows || !out.program.profile.split_file_0) return;
  for (const SourceBuffer* b = out.program.sources.buffer_of(loc); b && b->kind == BufferKind::expansion;
       b = out.program.sources.buffer_of(loc))
    loc = b->parent;
  const Location place = out.program.sources.locate(loc);
  generate_row(out, generated_file(out.program, place.file, false), place.line);
}

void DwarfLines::on_label(Streamer& out, SymbolId label) {
  any_label |= !out.program.symbols[label].has(symbol_anonymous);
  if (makes_.label_rows && !out.program.symbols[label].has(symbol_anonymous) && out.current_section().is_code() &&
      (makes_.rows || !files.files.empty())) {
    current.flags |= line_basic_block;
    const std::size_t before = rows.size();
    if (makes_.rows) {
      generate_row(out);
    } else {
      flush(out, true);
    }
    if (rows.size() != before) row_labels.push_back({u32(before), label});
  }
  if (!makes_.rows || !out.program.profile.repeat_generated_rows ||
      !has_generated_rows(out.program, out.current_section()))
    return;
  if (out.program.symbols[label].has(symbol_temporary) || out.program.symbols[label].has(symbol_anonymous)) return;
  // The file is that of the newest row, and line markers do not count: so LLVM has it.
  ensure_root_file(out.program);
  const u32 file = generator_.last_file != ~u32(0) ? generator_.last_file : versions_.dwarf < 5;
  generated.labels.push_back({label, file, source_line(out, out.program.sources.statement).physical});
}

}  // namespace xas
