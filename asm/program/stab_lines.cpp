// SPDX-License-Identifier: Apache-2.0
// Stabs, the debugging information of old: records of 12 bytes, .stab, and their strings, .stabstr.
//
//   record := offset of the string (4) | type (1) | other (1) | description (2) | value (4)
//
// The first record of .stab is a header: the name of the source file, the number of records behind it, and the size of
// the strings. What types and descriptions mean is told in "The stabs debug format" of GDB.
#include "asm/program/stab_lines.h"

#include <fmt/format.h>

#include <utility>

#include "asm/program/streamer.h"
#include "objwriter/endian.h"

namespace xas {

namespace {

/// A place to come back to after another section has been written to.
class SavedPlace {
 public:
  explicit SavedPlace(Streamer& out) : out_(out), current_(out.current), previous_(out.previous) {}
  ~SavedPlace() { out_.current = current_, out_.previous = previous_; }

 private:
  Streamer& out_;
  Subsection *current_, *previous_;
};

Subsection& contents(Program& program, Section& s) { return program.sections.sub(s.default_subsection); }

void store_header(Program& program, Section& records, Section& strings) {
  Subsection& sub = contents(program, records);
  const u64 count = sub.size / stab_record_size - 1, size = contents(program, strings).size;
  store_int(sub.data + 6, count, 2, program.info.big_endian);
  store_int(sub.data + 8, size, 4, program.info.big_endian);
}

/// Where the string is; the empty one is at 0.
u64 add_string(Streamer& out, Section& strings, std::string_view text) {
  SavedPlace saved(out);
  out.current = &contents(out.program, strings);
  if (out.current->size == 0) out.emit_int(0, 1);
  if (text.empty()) return 0;
  const u64 at = out.current->size;
  out.emit_bytes(text.data(), text.size());
  out.emit_int(0, 1);
  return at;
}

struct StabSections {
  Section* records;
  Section* strings;
};

StabSections stab_sections(Streamer& out, const std::string& name) {
  const u32 before = out.program.sections.size();
  StabSections s{&out.program.section_named(name), nullptr};
  const bool is_new = out.program.sections.size() != before;
  s.strings = &out.program.section_named(name + "str");
  if (!out.program.is_coff) s.records->log2_align = 2;
  if (out.program.is_coff && is_new) {
    const u32 of_stabs = coff_default_characteristics(out.program, ".stab");
    for (Section* section : {s.records, s.strings}) apply_characteristics(out.program, *section, of_stabs);
  }
  if (name != ".stab") {
    if (is_new) add_string(out, *s.strings, {});
  } else if (is_new && !out.program.is_coff) {
    s.records->entsize = stab_record_size;
  }
  if (contents(out.program, *s.records).size != 0) return s;
  const u64 file = add_string(out, *s.strings, out.program.stab_lines.source_name.of_numbered(out));
  SavedPlace saved(out);
  out.current = &contents(out.program, *s.records);
  out.emit_int(file, 4);
  out.emit_int(0, 8);
  return s;
}

}  // namespace

void put_stab(Streamer& out, const std::string& section, std::string_view text, Stab stab, const Value& value,
              SourceLoc loc) {
  // Stabs have no mapping symbols, whatever the text was in the midst of.
  const Mapping mapping = std::exchange(out.mapping, Mapping::off);
  const StabSections s = stab_sections(out, section);
  if (s.records->nobits || s.strings->nobits)
    return out.error(out.program.sources.statement, fmt::format("section {} has no contents", section));
  const u64 string = add_string(out, *s.strings, text);
  {
    SavedPlace saved(out);
    out.current = &contents(out.program, *s.records);
    out.emit_int(string, 4);
    out.emit_int(stab.type, 1);
    out.emit_int(stab.other, 1);
    out.emit_int(stab.description, 2);
    Value in_record = value;
    out.fold(in_record);
    out.emit_value(in_record, 4, loc);
  }
  out.mapping = mapping;
  if (section == ".stab") store_header(out.program, *s.records, *s.strings);
}

// --gstabs: stabs for the assembly source itself

namespace {

enum : u8 { N_FUN = 0x24, N_SLINE = 0x44, N_SO = 0x64, N_LSYM = 0x80, N_SOL = 0x84 };

/// The current place; in a .func, its distance from the function's start.
Value stab_place(Streamer& out) {
  Value here{.add = out.make_label_here(), .sub = out.program.stab_lines.function};
  out.fold(here);
  return here;
}

}  // namespace

void StabLines::begin(Streamer& out, const SourceBuffer& input) {
  out.program.sources.current = &input;
  out.program.sources.statement = input.begin;
  file_ = input.name;
  if (out.program.options.stabs_gnu)
    put_stab(out, ".stab", remap_path(out.program, out.program.lines.working_dir(out.program)) + "/", {N_SO},
             stab_place(out), 0);
  put_stab(out, ".stab", file_, {N_SO}, stab_place(out), 0);
}

void StabLines::statement(Streamer& out, std::string_view file, u32 line) {
  if (file != file_) {
    file_ = file;
    line_ = ~u32(0);
    const SymbolId in_function = std::exchange(function, no_symbol);
    put_stab(out, ".stab", file_, {N_SOL}, stab_place(out), 0);
    function = in_function;
  }
  if (line == line_) return;
  line_ = line;
  put_stab(out, ".stab", {}, {N_SLINE, 0, u16(line)}, stab_place(out), 0);
}

namespace {

/// Of the statement that is being read, or of the call of the macro that it stands in.
SourceLoc outermost_place(const Streamer& out) {
  SourceLoc loc = out.program.sources.statement_loc();
  for (const SourceBuffer* b = out.program.sources.current; b && b->kind == BufferKind::expansion;
       b = out.program.sources.buffer_of(loc))
    loc = b->parent;
  return loc;
}

}  // namespace

void SourceFileName::named(Streamer& out, std::string_view name) {
  name_ = name;
  loc_ = out.program.sources.statement_loc();
}

bool SourceFileName::is_known(Streamer& out) const {
  return loc_ != 0 || out.program.sources.marker_at(outermost_place(out));
}

std::string_view SourceFileName::of_numbered(Streamer& out) const {
  const SourceLoc here = outermost_place(out);
  const LineMarker* const marker = out.program.sources.marker_at(here);
  if (loc_ != 0 && (!marker || marker->loc <= loc_)) return name_;
  return marker && !marker->file.empty() ? std::string_view(marker->file)
                                         : std::string_view(out.program.sources.buffer_of(here)->name);
}

std::string_view SourceFileName::of_statement(Streamer& out) const {
  const SourceLoc here = outermost_place(out);
  bool in_loop = false;  // which no macro has made
  for (std::size_t i = out.program.sources.open.size();
       i > 0 && out.program.sources.open[i - 1].inner != SourceKind::include; --i) {
    in_loop = out.program.sources.open[i - 1].inner == SourceKind::loop;
  }
  if (in_loop || out.program.sources.marker_at(here)) return of_numbered(out);
  return out.program.sources.buffer_of(here)->name;
}

void StabLines::begin_function(Streamer& out, const Name& name, const Name& label) {
  if (!on) return;
  const SourceLoc loc = out.program.sources.statement_loc();
  if (!std::exchange(void_known, true)) put_stab(out, ".stab", "void:t1=1", {N_LSYM}, Value{}, loc);
  const SymbolId start = out.program.symbols.intern(label);
  out.program.symbols[start].flags |= symbol_referenced;
  const u32 line = out.program.sources.locate(loc).line;
  put_stab(out, ".stab", fmt::format("{}:F1", name.text()), {N_FUN, 0, u16(line + 1)}, Value{.add = start}, loc);
  function = start;
}

void StabLines::end_function(Streamer& out) {
  if (!on || function == no_symbol) return;
  put_stab(out, ".stab", {}, {N_FUN}, stab_place(out), out.program.sources.statement_loc());
  function = no_symbol;
}

}  // namespace xas
