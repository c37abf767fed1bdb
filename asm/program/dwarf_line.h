// SPDX-License-Identifier: Apache-2.0
// Line numbers: what .file and .loc collect (directives/dwarf.cpp) or -g makes up (dwarf_generate.cpp), and .debug_line
// made of it (dwarf_table.cpp), with the sections around it where the assembler makes those too (dwarf_info.cpp).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "asm/diagnostics/diag.h"
#include "asm/program/line_finder.h"
#include "objwriter/big_memory.h"
#include "targets/hash.h"
#include "targets/value.h"

namespace xas {

class Program;
struct Section;
struct Subsection;
class Streamer;
struct SourceBuffer;

enum LineFlags : u32 {
  line_is_stmt = 1,
  line_basic_block = 2,
  line_prologue_end = 4,
  line_epilogue_begin = 8,
  line_reset_view = 16,  ///< `view -0`: the address is set even if it does not change, which makes the view number 0
  line_label = 32,       ///< no row: .loc_label stands here; `line` is its number in table_labels
  line_begins_fragment = 64,  ///< GNU as has a fragment that begins where this row stands (mark_fragments)
  line_ends_fragment = 128,   ///< or one that ends there
};

/// One row of a line table, at a place in the code.
struct LineRow {
  u32 pos, fragment;
  u32 file, line, column;
  u32 discriminator;
  u32 isa;
  u32 flags;
};
static_assert(sizeof(LineRow) == 32);

/// What GNU as has a fragment for, and xas has none: the padding of an alignment that was known at once, a branch whose
/// size was, an instruction that GNU as takes to be able to grow.
struct LinePiece {
  u32 subsection;
  u32 from, to;     ///< fixed bytes
  u32 fragment;     ///< so many fragments stand before it,
  u32 rows;         ///< and so many of all rows
  u16 fixed, room;  ///< see Target::FragmentSizes
};

/// Rows that follow each other in the source and belong to one subsection; they end where the next run begins.
struct LineRun {
  u32 first;  ///< index of a row
  u32 next;   ///< the same subsection's next run, or no_run
};
inline constexpr u32 no_run = ~u32(0);

/// The name of a view number: a symbol, or a place that SymbolTable::place_of_unmet has found for the name at `text`.
struct ViewName {
  SymbolId symbol = no_symbol;
  u32 place = 0;
  const char* text = nullptr;

  bool is_given() const { return symbol != no_symbol || place != 0; }
};

/// By id of the subsection.
struct LineSequence {
  u32 first_run = no_run;
  u32 last_run = no_run;
  u32 last_pos = 0, last_fragment = 0;    ///< of the newest row
  u32 view = 0;                       ///< its view number: this,
  SymbolId view_symbol = no_symbol;   ///< plus the value of this symbol if it has to wait for layout
  SymbolId first_view = no_symbol;    ///< of the first row, which the subsection before it decides (link_views)
};

struct LineFile {
  std::string name;
  std::string source;
  u32 directory = 0;
  bool defined = false;
  bool has_md5 = false;
  bool has_source = false;
  u8 md5[16] = {};
};

/// What `.file N` says.
struct FileDirective {
  u32 number = 0;
  bool has_directory = false;
  std::string directory;
  LineFile file;
};

/// The tables of directories and files of .debug_line; how they are numbered is up to the profile (dwarf_files.cpp).
struct LineFiles {
  std::vector<LineFile> files;           ///< 0 is .file 0
  std::vector<std::string> directories;  ///< 0 is the compilation's own
  bool has_directory_0 = false;
  std::unordered_map<std::string, u32> directory_index, file_index;
  bool all_md5 = true, any_md5 = false, any_source = false;

  /// Name of a file with its directory, if that is not the compilation's.
  std::string path(u32 number) const;
  bool defined(u32 number) const { return number < files.size() && files[number].defined; }
  /// Makes an entry of the table, or reports why it can't.
  bool define(Program& program, FileDirective directive, SourceLoc loc);
  /// The number of a file by its path, made if there is none: for -g.
  u32 number_of(Program& program, const std::string& path);

 private:
  LineFile& slot(u32 number);
  void set_directory_0(const std::string& directory);
  u32 add_directory(const std::string& directory);
  u32 find_or_add_directory(const std::string& directory);
  u32 directory_for(Program& program, const FileDirective& d, std::string_view directory, bool is_of_name);
  bool define_gnu(Program& program, FileDirective& d, SourceLoc loc);
  bool define_llvm(Program& program, FileDirective& d, SourceLoc loc);
};

class DwarfLines {
 public:
  bool pending = false;         ///< a .loc waits for the next instruction (or -g is on): call before_instruction
  bool pending_data = false;    ///< and data will do as well: call before_data
  bool wants_labels = false;    ///< call on_label
  bool wants_sections = false;  ///< call on_section_change

  /// Makes the row of the instruction that begins here.
  void before_instruction(Streamer& out);
  void before_data(Streamer& out) { before_instruction(out); }
  /// Where rows that -g makes are, and where they were before an instruction: it has no bytes, and so no row.
  struct GeneratedRow {
    std::size_t rows, runs, sections;
    u32 file, line;
  };
  GeneratedRow newest() const {
    return {rows.size(), runs.size(), sections.size(), generator_.last_file, generator_.last_line};
  }
  void take_back(const GeneratedRow& before);
  /// The row of the instruction that began `n` bytes before this place, if it has one, begins here.
  void move_row(const Streamer& out, u32 n);
  /// A word of a literal pool stands here, for the load at `loc`.
  void before_literal(Streamer& out, SourceLoc loc);
  /// The call of a macro stands here.
  void before_macro(Streamer& out) {
    if (makes_.statements) note_statement(out);
  }
  /// A label of the source has been defined here.
  void on_label(Streamer& out, SymbolId label);
  /// The current section is about to change.
  void on_section_change() {
    wants_sections = pending = pending_data = false;
    current.flags &= line_is_stmt;
    current.discriminator = 0;
  }
  bool wants_pieces = false;  ///< call add_piece: there may be rows
  /// `n` bytes before this place are a LinePiece.
  void add_piece(const Subsection& sub, u64 n, u64 fixed, u64 room);
  /// Code that follows is of this instruction set state (ARM and Thumb).

  /// To be called first: options decide about -g and the version of DWARF.
  void start(Program& program);
  unsigned version() const { return versions_.dwarf; }  ///< of DWARF
  unsigned line_version() const { return versions_.dwarf < versions_.min_line ? versions_.min_line : versions_.dwarf; }
  void raise_version(unsigned v) {
    if (versions_.dwarf < v) versions_.dwarf = v;
  }

  void clear() { *this = DwarfLines{}; }

  // For directives/dwarf.cpp

  struct {
    u32 file = 1, line = 1, column = 0, discriminator = 0, isa = 0;
    u32 flags = line_is_stmt;
  } current;
  bool any_loc = false;
  bool any_label = false;  ///< the text has defined one; known while wants_labels
  LineFiles files;

  /// A .loc was read: its row is made by what comes next.
  void wait(Streamer& out);
  /// Makes the row that waits; `of_label`: even on line 0.
  void flush(Streamer& out, bool of_label = false);
  /// At the end of the text: view numbers go on from one subsection to the next.
  void link_views(Streamer& out);
  /// Makes the row of a .loc with a view number. Without a name, the number must come to 0.
  void flush_with_view(Streamer& out, const ViewName& view, SourceLoc loc);
  void set_mark_labels(bool on);
  /// The compiler's own lines take the place of -g's. Sections that had some stay listed: GNU as describes them still.
  void stop_generating(const Program& program);
  bool generating() const { return makes_.rows; }
  void add_label_row(Streamer& out, const Name& label, SourceLoc loc);
  /// Of options, or the process's.
  const std::string& working_dir(Program& program);
  /// -g of LLVM: file 0 is the main source, by the name that its first line marker gives it. Not for other profiles.
  void ensure_root_file(Program& program);

  // For the writers

  bool any_reset = false;  ///< a row has line_reset_view
  /// Of a subsection, in the order of the source. The first call sorts them: no more can be added.
  std::span<const LinePiece> pieces_of(u32 subsection);
  BigVector<LineRow> rows;
  std::vector<std::pair<u32, SymbolId>> row_labels;  ///< rows that .loc_mark_labels made, and for which label
  std::vector<LineRun> runs;
  std::vector<LineSequence> sequences;  ///< by id of the subsection
  std::vector<u32> sections;            ///< indices of sections with rows, in the order of their first rows
  struct TableLabel {
    Name name;  ///< not met as a symbol by this: it is listed as if first met at the end of the text
    SourceLoc loc;
    SymbolId symbol = no_symbol;  ///< once the text has ended
  };
  std::vector<TableLabel> table_labels;  ///< of .loc_label: places in the line table
  struct ViewCheck {
    SymbolId view;
    SourceLoc loc;
  };
  std::vector<ViewCheck> view_checks;   ///< must come to 0
  struct Label {
    SymbolId symbol;
    u32 file, line;
  };
  /// What -g has met.
  struct Generated {
    std::vector<std::string> names;  ///< what `file` of a row counts until files have numbers
    std::vector<Label> labels;       ///< to be described
  } generated;

 private:
  void add_row(Streamer& out, bool has_view = false, bool of_label = false);
  void drop_newest_run();
  void note_statement(Streamer& out);
  LineSequence& sequence(Streamer& out);
  struct Place {
    u32 subsection, pos, fragment;
  };
  void count_view(Streamer& out, LineSequence& s, u32 flags);
  u32 next_view(Streamer& out, const LineSequence& s, const Place& row, const Place& before);
  void consume();
  void update_hooks();

  // -g
  struct Tracked {
    const SourceBuffer* buffer;
    const char* p;
    u32 line, file;       ///< at p, as line markers have it
    u32 physical;         ///< line of the buffer at p
    std::size_t markers;  ///< how many there were
  };
  void generate_row(Streamer& out);
  void generate_row(Streamer& out, u32 file, u32 line);
  const Tracked& source_line(Streamer& out, const char* at);
  u32 generated_file(Program& program, std::string_view name, bool from_marker);
  void define_root_file(Program& program);

  /// -g: rows that are made of the source.
  struct Generator {
    std::vector<Tracked> tracked;
    LineFinder loops;
    std::unordered_map<std::string, u32> index;
    u32 last_file = ~u32(0), last_line = 0;
  };
  struct Versions {
    u8 dwarf = 0;
    u8 min_line = 2;
  };
  struct LinePieces {
    BigVector<LinePiece> list;
    bool sorted = false;
  };
  /// What rows or notes are made of.
  struct Makes {
    bool rows = false;        ///< -g: of instructions
    bool statements = false;  ///< --gstabs or --gcodeview wants to know of instructions and calls of macros
    bool label_rows = false;  ///< .loc_mark_labels
  };

  Makes makes_;
  Versions versions_;
  u32 last_subsection_ = ~u32(0);  ///< of the newest run
  u32 instruction_row_ = ~u32(0);  ///< the row that was made for an instruction last, if that made one
  LinePieces pieces_;
  std::vector<bool> listed_;  ///< sections that are in `sections`
  Generator generator_;
  std::string working_dir_;
};

/// -g makes rows for this section's instructions.
bool has_generated_rows(const Program& program, const Section& section);

/// --debug-prefix-map.
std::string remap_path(const Program& program, const std::string& path);

}  // namespace xas
