// SPDX-License-Identifier: Apache-2.0
// --gcodeview: line numbers of the assembly source as CodeView, as GNU as 2.40 writes them.
//
//   .debug$S := 4, string table, checksums of the files, lines of each piece of code, symbols
//
// A row belongs to each instruction and to each call of a macro. What is strange: lines come in blocks, each with an
// address of its own, and GNU as begins one wherever its memory for contents has a seam: behind a branch that may grow,
// an alignment, a fill. The length of a block counts the opcode only of a branch that ends it.
//
// Source: Microsoft's published headers of the PDB format (cvinfo.h).
#include <cstdio>
#include <cstdlib>

#include "asm/debug/debug.h"
#include "asm/debug/dwarf_sections.h"
#include "asm/program/section_writer.h"
#include "asm/program/streamer.h"
#include "asm/text/host.h"
#include "asm/text/md5.h"
#include "objwriter/coff_constants.h"

namespace xas {

namespace {

using Row = CodeViewSourceLines::Row;

constexpr u32 CV_SIGNATURE_C13 = 4;
constexpr u16 S_OBJNAME = 0x1101;
constexpr u16 S_COMPILE3 = 0x113c;
constexpr u32 CV_CFL_MASM = 3;
constexpr u8 checksum_md5 = 1;
constexpr u32 md5_size = 16, checksum_entry = 24;  ///< offset, size, kind, md5, and two bytes that fill up
constexpr u32 line_is_statement = u32(1) << 31;

/// Without symbolic links and "..": of a file that is not there yet, its folder's.
std::string real_path(const std::string& path) {
  if (const auto found = host::real_path(path.c_str())) return *found;
  const std::size_t name = host::last_name(path);
  const auto folder = host::real_path(name == 0 ? "." : path.substr(0, name).c_str());
  if (!folder) return path;
  return *folder == "/" ? *folder + path.substr(name) : *folder + "/" + path.substr(name);
}

/// The bytes of a source file: those of the file of this name, or of the input that was given from memory.
bool source_text(const Program& program, const std::string& name, std::string& text) {
  for (const auto& buffer : program.sources.buffers()) {
    if (buffer.kind == BufferKind::expansion || buffer.name != name) continue;
    text.assign(buffer.begin, buffer.size());
    return true;
  }
  std::FILE* file = std::fopen(name.c_str(), "rb");
  if (!file) return false;
  char bytes[4096];
  for (std::size_t n; (n = std::fread(bytes, 1, sizeof bytes, file)) != 0;) text.append(bytes, n);
  std::fclose(file);
  return true;
}

u16 codeview_machine(u16 coff_machine) {
  switch (coff_machine) {
    case coff::IMAGE_FILE_MACHINE_I386: return 3;
    case coff::IMAGE_FILE_MACHINE_AMD64: return 0xd0;
    case coff::IMAGE_FILE_MACHINE_ARMNT: return 0xf4;
    default: return 0xf6;
  }
}

/// A subsection's head; `end_subsection` sets its length.
SectionWriter::Length begin_subsection(SectionWriter& w, u32 kind) {
  w.put4(kind);
  return w.begin_length(4);
}

void write_symbols(Program& program, SectionWriter& w) {
  const SectionWriter::Length all = begin_subsection(w, DEBUG_S_SYMBOLS);
  SectionWriter::Length record = w.begin_length(2);
  w.put2(S_OBJNAME);
  w.put4(0);  // no signature
  w.put_string(program.options.object_name.empty() ? "" : remap_path(program, real_path(program.options.object_name)));
  w.end_length(record);
  record = w.begin_length(2);
  w.put2(S_COMPILE3);
  w.put4(CV_CFL_MASM);
  w.put2(codeview_machine(program.info.coff.machine));
  w.put_zeros(16);  // versions of a front end and a back end
  w.put_string(program.options.producer.empty() ? program.profile.codeview_producer : program.options.producer);
  w.pad(4);
  w.end_length(record);
  w.end_length(all);
}

/// From a row to the end of its piece, as far as that was fixed before layout.
u64 length(Program& program, const Row& first) {
  const auto& ends = program.codeview.source_lines.ends;
  const Subsection& sub = program.sections.sub(first.subsection);
  if (first.subsection < ends.size() && first.piece < ends[first.subsection].size()) {
    const CodeViewSourceLines::End& end = ends[first.subsection][first.piece];
    if (end.fragment == first.fragment) return end.pos - first.pos;
  }
  if (first.fragment == sub.fragments.size()) return sub.size - first.pos;
  const Fragment& f = sub.fragments[first.fragment];
  if (f.kind != FragmentKind::insn) return f.pos - first.pos;
  const InsnFragment& insn = f.as<InsnFragment>();
  const unsigned opcode = program.info.code.fixed_opcode;
  return f.pos - first.pos + (opcode ? opcode : program.target.relax_size(insn.form, insn.state));
}

void write_files(Program& program) {
  const std::vector<std::string>& files = program.codeview.source_lines.files;
  Section& section = program.section_named(".debug$S");
  SectionWriter w(program, section);
  SectionWriter::Length all = begin_subsection(w, DEBUG_S_STRINGTABLE);
  std::vector<u32> names;
  const u64 start = w.offset();
  w.put1(0);
  for (const std::string& file : files) {
    names.push_back(u32(w.offset() - start));
    w.put_string(remap_path(program, real_path(file)));
  }
  w.end_length(all);
  w.pad(4);

  all = begin_subsection(w, DEBUG_S_FILECHKSMS);
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::string text;
    const bool found = source_text(program, files[i], text);
    w.put4(names[i]);
    w.put1(found ? md5_size : 0);
    w.put1(found ? checksum_md5 : 0);
    u8 sum[md5_size] = {};
    if (found) md5(text, sum);
    w.put_bytes({reinterpret_cast<const char*>(sum), md5_size});
    w.put_zeros(checksum_entry - 6 - md5_size);
  }
  w.end_length(all);
}

/// The rows of one piece; returns the first behind them.
std::size_t write_block(Program& program, std::size_t first) {
  const std::vector<Row>& rows = program.codeview.source_lines.rows;
  SectionWriter w(program, program.section_named(".debug$S"));
  const Row& start = rows[first];
  const Subsection& sub = program.sections.sub(start.subsection);
  std::size_t end = first;
  while (end < rows.size() && rows[end].same_piece(start)) ++end;

  const SectionWriter::Length all = begin_subsection(w, DEBUG_S_LINES);
  Value place{.constant = i64(sub.offset(start.pos, start.fragment)),
              .add = program.section_symbol(program.sections[sub.section])};
  place.modifier = program.target.modifier("SECREL32");
  w.put_value(4, place, false, 0);
  place.constant = 0;
  place.modifier = program.target.modifier("SECIDX");
  w.put_value(2, place, false, 0);
  w.put2(0);  // no columns
  w.put4(length(program, start));
  for (std::size_t i = first; i < end;) {
    constexpr u32 file_head = 12, line_size = 8;
    std::size_t next = i;
    while (next < end && rows[next].file == rows[i].file) ++next;
    w.put4(rows[i].file * checksum_entry);
    w.put4(next - i);
    w.put4(file_head + (next - i) * line_size);
    for (; i < next; ++i) {
      w.put4(rows[i].pos - start.pos);
      w.put4(rows[i].line | line_is_statement);
    }
  }
  w.end_length(all);
  return end;
}

}  // namespace

void generate_codeview_source_lines(Program& program) {
  const std::vector<Row>& rows = program.codeview.source_lines.rows;
  if (rows.empty()) return;
  SectionWriter(program, program.section_named(".debug$S")).put4(CV_SIGNATURE_C13);
  write_files(program);
  for (std::size_t i = 0; i < rows.size();) i = write_block(program, i);
  SectionWriter w(program, program.section_named(".debug$S"));
  write_symbols(program, w);
}

}  // namespace xas
