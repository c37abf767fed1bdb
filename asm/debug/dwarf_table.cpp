// SPDX-License-Identifier: Apache-2.0
// .debug_line: the header with its tables of directories and files, then one sequence of rows for each section that has
// rows. Specification: DWARF 5, section 6.2 (and the same section of DWARF 2 to 4).
//
// Both assemblers use the same parameters and the same opcodes for the same advances. They differ in the tables, in
// which strings of .debug_line_str are shared, and in what makes a table at all: GNU as makes one if there is a row or
// if there is a .debug_info to go with it, LLVM if there is a file.
#include <algorithm>

#include <fmt/format.h>

#include "asm/debug/debug.h"
#include "asm/debug/dwarf_sections.h"
#include "asm/debug/memory_blocks.h"
#include "asm/layout/layout.h"
#include "asm/program/section_writer.h"
#include "objwriter/elf_constants.h"

namespace xas {

namespace {

enum : u8 {
  DW_LNS_extended_op = 0,
  DW_LNS_copy = 1,
  DW_LNS_advance_pc = 2,
  DW_LNS_advance_line = 3,
  DW_LNS_set_file = 4,
  DW_LNS_set_column = 5,
  DW_LNS_negate_stmt = 6,
  DW_LNS_set_basic_block = 7,
  DW_LNS_const_add_pc = 8,
  DW_LNS_set_prologue_end = 10,
  DW_LNS_set_epilogue_begin = 11,
  DW_LNS_set_isa = 12,
  DW_LNE_end_sequence = 1,
  DW_LNE_set_address = 2,
  DW_LNE_set_discriminator = 4,

  DW_LNCT_path = 1,
  DW_LNCT_directory_index = 2,
  DW_LNCT_MD5 = 5,
};
constexpr u32 DW_LNCT_LLVM_source = 0x2001;

constexpr i8 line_base = -5;
constexpr u8 line_range = 14;
constexpr u8 opcode_lengths[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
constexpr u8 usual_opcode_base = sizeof opcode_lengths + 1, dwarf2_opcode_base = 10;
constexpr u64 max_special_advance = (255 - usual_opcode_base) / line_range;
static_assert(max_special_advance == (255 - dwarf2_opcode_base) / line_range);

u8* put_uleb(u8* out, u64 v) { return out + write_uleb128(out, v); }

/// Opcodes that advance line and address and append a row.
u8* put_row_advance(u8* out, u8 opcode_base, i64 lines, u64 units) {
  bool line_done = false;
  if (u64(lines - line_base) >= line_range) {
    *out++ = DW_LNS_advance_line;
    out += write_sleb128(out, lines);
    lines = 0;
    line_done = true;
  }
  if (lines == 0 && units == 0) {
    *out++ = DW_LNS_copy;
    return out;
  }
  const u64 special = u64(lines - line_base) + opcode_base;
  if (units <= max_special_advance && special + units * line_range <= 255) {
    *out++ = u8(special + units * line_range);
    return out;
  }
  if (units >= max_special_advance && units <= 2 * max_special_advance &&
      special + (units - max_special_advance) * line_range <= 255) {
    *out++ = DW_LNS_const_add_pc;
    *out++ = u8(special + (units - max_special_advance) * line_range);
    return out;
  }
  *out++ = DW_LNS_advance_pc;
  out = put_uleb(out, units);
  *out++ = line_done ? u8(DW_LNS_copy) : u8(special);
  return out;
}

u8* put_end_sequence(u8* out, u64 units) {
  if (units == max_special_advance) {
    *out++ = DW_LNS_const_add_pc;
  } else if (units) {
    *out++ = DW_LNS_advance_pc;
    out = put_uleb(out, units);
  }
  *out++ = DW_LNS_extended_op;
  *out++ = 1;
  *out++ = DW_LNE_end_sequence;
  return out;
}

/// The strings of .debug_line_str.
class LineStrings {
 public:
  LineStrings(Program& program, Section& section)
      : share_(program.profile.share_line_strings),
        section_(section),
        w_(program, section),
        start_(share_ ? w_.offset() : 0) {}
  u64 add(const std::string& s) {
    const u64 offset = w_.offset() - start_;
    if (share_) {
      const auto [entry, fresh] = offsets_.try_emplace(s, offset);
      if (!fresh) return entry->second;
    }
    w_.put_string(s);
    return offset;
  }
  Section& section() { return section_; }

 private:
  const bool share_;
  Section& section_;
  SectionWriter w_;
  const u64 start_;  ///< what offsets count from: LLVM leaves out what the source has put there (GCC's names)
  std::unordered_map<std::string, u64> offsets_;
};

/// GNU as lists the symbol of this section, unless it is there, when it comes upon a relocation that names it.
void list_where_named(Program& program, std::string_view section) {
  const bool is_new = program.symbols.find(section) == no_symbol;
  const SymbolId id = program.symbols.intern_copy(section);
  if (is_new && program.profile.kept_temporaries_last && !program.info.elf.all_section_symbols)
    program.symbols[id].flags |= symbol_operand;
}

}  // namespace

class LineTableWriter {
 public:
  LineTableWriter(Program& program, Section& section)
      : program_(program),
        lines_(program.lines),
        w_(program, section),
        version_(program.lines.line_version()) {
    address_size_ = program.info.address_size;
    unit_ = program.target.cfi_defaults().code_align;
    opcode_base_ = program.profile.dwarf2_opcodes && version_ == 2 ? dwarf2_opcode_base : usual_opcode_base;
  }

  void write() {
    const unsigned offset_size = program_.options.dwarf64 ? 8 : 4;
    if (offset_size == 8) w_.put4(0xFFFFFFFF);
    const bool split = program_.options.line_sections;
    const std::size_t fixups = w_.subsection().fixups.size();
    const u64 start = w_.subsection().size;
    const SectionWriter::Length length = w_.begin_length(offset_size);
    w_.put2(version_);
    if (version_ >= 5) {
      w_.put1(address_size_);
      w_.put1(0);  // no segment selectors
    }
    const SectionWriter::Length header = w_.begin_length(offset_size);
    w_.put1(unit_);
    if (version_ >= 4) w_.put1(1);  // operations in an instruction
    w_.put1(1);                     // is_stmt at the start of a sequence
    w_.put1(u8(line_base));
    w_.put1(line_range);
    w_.put1(opcode_base_);
    w_.put_bytes({reinterpret_cast<const char*>(opcode_lengths), opcode_base_ - 1u});
    if (version_ >= 5) {
      write_tables_5(offset_size);
    } else {
      write_tables_2();
    }
    w_.end_length(header);
    for (const u32 section : lines_.sections) {
      Section& code = program_.sections[section];
      if (!split || code.name == ".text") {
        write_sequence(code);
      } else {
        LineTableWriter(program_, line_section(code.name)).write_sequence(code);
      }
    }
    split ? end_split_table(start, offset_size, fixups) : w_.end_length(length);
  }

 private:
  // --gdwarf-sections: sequences in sections of their own, named after those of the code, so that the linker can drop
  // them together. The table goes on up to the section .debug_line_end.

  Section& line_section(std::string_view suffix) {
    Section& s = program_.section_named(fmt::format(".debug_line{}", suffix));
    s.type = elf::SHT_PROGBITS;
    s.flags = elf::SHF_WRITE;  // as GNU as has it
    return s;
  }

  void end_split_table(u64 start, unsigned offset_size, std::size_t first_fixup) {
    list_where_named(program_, ".debug_line_end");
    Section& end = line_section("_end");
    auto& fixups = w_.subsection().fixups;
    fixups.push_back({.pos = u32(start),
                      .fragment = u32(w_.subsection().fragments.size()),
                      .addend = -i64(offset_size),
                      .add = program_.section_symbol(end),
                      .sub = no_symbol,
                      .kind = u16(fixup_pcrel1 + std::countr_zero(offset_size)),
                      .modifier = 0,
                      .loc = 0});
    std::rotate(fixups.begin() + std::ptrdiff_t(first_fixup), fixups.end() - 1, fixups.end());  // fixups lie in order
  }

  // Directories and files

  void unassigned(u32 number) {
    program_.diags.error(
        0, fmt::format("file number {} is missing: files up to {} are defined", number, lines_.files.files.size() - 1));
  }

  void write_tables_2() {
    const LineFiles& t = lines_.files;
    for (std::size_t i = 1; i < t.directories.size(); ++i) w_.put_string(remap_path(program_, t.directories[i]));
    w_.put1(0);
    for (u32 i = 1; i < t.files.size(); ++i) {
      const LineFile& f = t.files[i];
      if (!f.defined) return unassigned(i);
      w_.put_string(f.name);
      w_.put_uleb(f.directory);
      w_.put1(0);  // time of modification
      w_.put1(0);  // length
    }
    w_.put1(0);
  }

  void put_string_reference(LineStrings& strings, const std::string& s, unsigned offset_size) {
    w_.put_reference(offset_size, strings.section(), strings.add(s));
  }

  bool has_md5() const {
    const LineFiles& t = lines_.files;
    if (!program_.profile.md5_by_first_byte) return t.all_md5 && t.any_md5;
    return std::any_of(t.files.begin(), t.files.end(), [](const LineFile& f) { return f.md5[0] != 0; });
  }

  void write_tables_5(unsigned offset_size) {
    LineFiles& t = lines_.files;
    const bool gnu_tables = program_.profile.split_file_0;
    w_.put1(1);
    w_.put_uleb(DW_LNCT_path);
    w_.put_uleb(DW_FORM_line_strp);
    if (gnu_tables && t.files.empty() && t.directories.empty()) {
      w_.put_uleb(0);
      write_file_formats(false);
      return w_.put_uleb(0);
    }
    const bool is_new = program_.symbols.find(".debug_line_str") == no_symbol;
    Section& string_section = program_.section_named(".debug_line_str");
    // GNU as makes its symbol, and that of .debug_frame behind it, when it comes upon the relocations that name it.
    const bool waits =
        gnu_tables && !program_.info.elf.all_section_symbols && !(program_.cfi.sections & cfi_debug_frame);
    if (is_new && waits) program_.symbols[program_.section_symbol(string_section)].flags |= symbol_operand;
    mark_as_strings(program_, string_section);
    LineStrings strings(program_, string_section);

    const std::string own = t.has_directory_0 ? t.directories[0] : lines_.working_dir(program_);
    w_.put_uleb(std::max<u64>(1, t.directories.size()));
    put_string_reference(strings, remap_path(program_, own), offset_size);
    for (std::size_t i = 1; i < t.directories.size(); ++i) {
      put_string_reference(strings, remap_path(program_, t.directories[i]), offset_size);
    }

    const bool md5 = has_md5();
    write_file_formats(md5);
    if (t.files.empty()) t.files.resize(1);
    // Text written for DWARF 4 has no file 0: the first one takes its place.
    const bool repeat_first = !t.files[0].defined && t.files.size() > 1 && t.files[1].defined;
    w_.put_uleb(t.files.size());
    u64 first_name = 0;
    for (u32 i = 0; i < t.files.size(); ++i) {
      const LineFile& f = i == 0 && repeat_first ? t.files[1] : t.files[i];
      if (!f.defined && i != 0 && gnu_tables) return unassigned(i);
      const bool shared = i == 1 && repeat_first;
      const std::string name = i == 0 && !gnu_tables ? remap_path(program_, f.name) : f.name;
      const u64 at = shared ? first_name : strings.add(name);
      if (i == 0) first_name = at;
      w_.put_reference(offset_size, strings.section(), at);
      w_.put_uleb(f.directory);
      if (md5) w_.put_bytes({reinterpret_cast<const char*>(f.md5), sizeof f.md5});
      if (t.any_source) put_string_reference(strings, f.has_source && f.source.empty() ? "\n" : f.source, offset_size);
    }
  }

  void write_file_formats(bool md5) {
    const bool source = lines_.files.any_source;
    w_.put1(u8(2 + md5 + source));
    w_.put_uleb(DW_LNCT_path);
    w_.put_uleb(DW_FORM_line_strp);
    w_.put_uleb(DW_LNCT_directory_index);
    w_.put_uleb(DW_FORM_udata);
    if (md5) {
      w_.put_uleb(DW_LNCT_MD5);
      w_.put_uleb(DW_FORM_data16);
    }
    if (source) {
      w_.put_uleb(DW_LNCT_LLVM_source);
      w_.put_uleb(DW_FORM_line_strp);
    }
  }

  // Rows

  /// Registers of the state machine at the start of a sequence.
  struct State {
    u32 file = 1, line = 1, column = 0, isa = 0, flags = line_is_stmt;
    u64 address = 0;
    const LineRow* last = nullptr;  ///< the row before; null at the start of a sequence
    const Subsection* sub = nullptr;  ///< where that row is
  };

  void write_sequence(const Section& section) {
    State state;
    const u64 end = end_of_code(program_, section);
    if (lines_.any_reset)
      for (u32 id = section.first; id != ~u32(0); id = program_.sections.sub(id).next) mark_fragments(program_, id);
    if (!program_.profile.lines_by_subsection && program_.sections.sub(section.first).next != ~u32(0)) {
      // llvm-mc goes by the source, forwards and backwards, and ends where its first subsection does.
      std::vector<std::pair<u32, u32>> runs;  // and their subsections
      for_runs(section, [&](u32 run, u32 id) { runs.emplace_back(run, id); });
      std::sort(runs.begin(), runs.end());
      for (const auto& [run, id] : runs) write_run(section, id, run, state);
    } else {
      for_runs(section, [&](u32 run, u32 id) { write_run(section, id, run, state); });
    }
    if (state.last) end_sequence(state, end);
  }

  template <class Do>
  void for_runs(const Section& section, Do&& action) {
    for (u32 id = section.first; id != ~u32(0); id = program_.sections.sub(id).next) {
      if (id >= lines_.sequences.size()) continue;
      for (u32 run = lines_.sequences[id].first_run; run != no_run; run = lines_.runs[run].next) action(run, id);
    }
  }

  void write_run(const Section& section, u32 subsection, u32 run, State& state) {
    const Subsection& sub = program_.sections.sub(subsection);
    const u32 end = run + 1 < lines_.runs.size() ? lines_.runs[run + 1].first : u32(lines_.rows.size());
    for (u32 row = lines_.runs[run].first; row < end; ++row) write_row(section, sub, lines_.rows[row], state);
  }

  void end_sequence(State& state, u64 address) {
    u8* const start = w_.subsection().reserve(24);
    w_.subsection().size += u64(put_end_sequence(start, (address - state.address) / unit_) - start);
    state = State{};
  }

  void write_row(const Section& section, const Subsection& sub, const LineRow& row, State& state) {
    const u64 address = sub.offset(row.pos, row.fragment);
    if (row.flags & line_label) [[unlikely]] {
      if (state.last) end_sequence(state, address);
      const Subsection& here = w_.subsection();
      program_.symbols[lines_.table_labels[row.line].symbol].become_label(here.id, here.size,
                                                                          u32(here.fragments.size()));
      return;
    }
    u8* const start = w_.subsection().reserve(96);
    u8* out = start;
    if (row.file != state.file) {
      state.file = row.file;
      *out++ = DW_LNS_set_file;
      out = put_uleb(out, row.file);
    }
    if (row.column != state.column) {
      state.column = row.column;
      *out++ = DW_LNS_set_column;
      out = put_uleb(out, row.column);
    }
    if (row.discriminator && !(program_.profile.discriminator_needs_dwarf4 && version_ < 4)) {
      u8 number[10];
      const unsigned size = write_uleb128(number, row.discriminator);
      *out++ = DW_LNS_extended_op;
      *out++ = u8(size + 1);
      *out++ = DW_LNE_set_discriminator;
      std::memcpy(out, number, size);
      out += size;
    }
    if (row.isa != state.isa) {
      state.isa = row.isa;
      *out++ = DW_LNS_set_isa;
      out = put_uleb(out, row.isa);
    }
    const u32 flags = row.flags;
    if ((flags ^ state.flags) & line_is_stmt) *out++ = DW_LNS_negate_stmt;
    state.flags = flags;
    if (flags & (line_basic_block | line_prologue_end | line_epilogue_begin)) {
      if (flags & line_basic_block) *out++ = DW_LNS_set_basic_block;
      if (flags & line_prologue_end) *out++ = DW_LNS_set_prologue_end;
      if (flags & line_epilogue_begin) *out++ = DW_LNS_set_epilogue_begin;
    }
    const i64 lines = i64(row.line) - i64(state.line);
    if (!state.last || (flags & line_reset_view && needs_address(sub, state, row, address))) {
      w_.subsection().size += u64(out - start);
      put_set_address(section, address, row);
      u8* const at = w_.subsection().reserve(24);
      w_.subsection().size += u64(put_row_advance(at, opcode_base_, lines, 0) - at);
    } else {
      out = put_row_advance(out, opcode_base_, lines, (address - state.address) / unit_);
      w_.subsection().size += u64(out - start);
    }
    state.line = row.line;
    state.address = address;
    state.last = &row;
    state.sub = &sub;
  }

  void put_set_address(const Section& section, u64 address, const LineRow& row) {
    w_.put1(DW_LNS_extended_op);
    w_.put1(address_size_ + 1);
    w_.put1(DW_LNE_set_address);
    const u32 index = u32(&row - lines_.rows.data());
    const auto label = std::lower_bound(lines_.row_labels.begin(), lines_.row_labels.end(), index,
                                        [](const auto& l, u32 i) { return l.first < i; });
    if (label != lines_.row_labels.end() && label->first == index)
      return w_.put_reference(address_size_, label->second, 0);
    w_.put_reference(address_size_, program_.sections[program_.sections.index_of(section)], address);
  }

  /// Whether a row whose view number must be 0 sets its address: GNU as does if its address may be that of the row
  /// before, as far as it knows before layout. With a listing each line is a fragment of its own there.
  bool needs_address(const Subsection& sub, const State& state, const LineRow& row, u64 address) const {
    if (program_.options.listing.parts) return true;
    const LineRow& last = *state.last;
    if (state.sub == &sub && last.fragment == row.fragment && address == state.address) return true;
    return (row.flags & line_begins_fragment) && (last.flags & line_ends_fragment);
  }

  Program& program_;
  DwarfLines& lines_;
  SectionWriter w_;
  unsigned version_;
  unsigned address_size_;
  unsigned unit_;
  u8 opcode_base_;
};

void mark_as_strings(const Program& program, Section& section) {
  if (program.is_coff) return;
  section.flags |= elf::SHF_MERGE | elf::SHF_STRINGS;
  section.entsize = 1;
}

namespace {

Section* find_section(Program& program, std::string_view name) {
  for (u32 i = 0; i < program.sections.size(); ++i) {
    if (program.sections[i].name == name) return &program.sections[i];
  }
  return nullptr;
}

bool has_contents(Program& program, std::string_view name) {
  const Section* section = find_section(program, name);
  return section && section->size != 0;
}

/// -g of GNU as: files get their numbers in the order of the table's rows, which is by section.
void number_generated_files(Program& program) {
  DwarfLines& lines = program.lines;
  std::vector<u32> numbers(lines.generated.names.size(), 0);
  for (const u32 section : lines.sections) {
    for (u32 id = program.sections[section].first; id != ~u32(0); id = program.sections.sub(id).next) {
      if (id >= lines.sequences.size()) continue;
      for (u32 run = lines.sequences[id].first_run; run != no_run; run = lines.runs[run].next) {
        const u32 end = run + 1 < lines.runs.size() ? lines.runs[run + 1].first : u32(lines.rows.size());
        for (u32 row = lines.runs[run].first; row < end; ++row) {
          u32& number = numbers[lines.rows[row].file];
          if (number == 0) number = lines.files.number_of(program, lines.generated.names[lines.rows[row].file]);
          lines.rows[row].file = number;
        }
      }
    }
  }
}

void generate_gnu(Program& program) {
  DwarfLines& lines = program.lines;
  const bool any_rows = !lines.sections.empty();
  const bool has_info = has_contents(program, ".debug_info"), has_line = has_contents(program, ".debug_line");
  if (any_rows && has_line && lines.any_loc) {
    return program.diags.error(0, "there are .loc directives, but section .debug_line has contents of its own");
  }
  if (has_info ? has_line : !any_rows) return;
  if (lines.generating()) number_generated_files(program);
  // A .loc_label makes rows without any file, and then there is no unit to describe.
  const bool invent = !has_info && program.profile.invent_debug_info && !lines.files.files.empty();
  program.coff.invented_debug_info = invent;
  if (invent) {
    // GNU as lists the symbols of these sections in another order than the sections.
    for (const char* name : {".debug_info", ".debug_abbrev", ".debug_line"}) program.symbols.intern_copy(name);
    for (const char* name : {".debug_line_end", ".debug_line_str", ".debug_ranges", ".debug_rnglists", ".debug_str"})
      list_where_named(program, name);
  }
  Section& section = program.section_named(".debug_line");
  if (!has_line) LineTableWriter(program, section).write();
  if (invent) write_gnu_debug_info(program, section);
}

}  // namespace

void generate_debug_sections(Program& program) {
  DwarfLines& lines = program.lines;
  for (const DwarfLines::ViewCheck& check : lines.view_checks) {
    const Resolved view = program.resolve(check.view);
    if (view.kind != Resolved::number || view.value != 0)
      program.diags.error(check.loc, "this row's view number is not 0");
  }
  if (program.profile.line_table_if_debug_info) return generate_gnu(program);
  if (lines.generating()) write_llvm_debug_info(program);
  const bool files = !lines.files.files.empty() && program.profile.line_table_if_files;
  if (lines.rows.empty() && !files && !lines.generating()) return;
  LineTableWriter(program, program.section_named(".debug_line")).write();
}

}  // namespace xas
