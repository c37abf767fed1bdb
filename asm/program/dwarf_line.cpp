// SPDX-License-Identifier: Apache-2.0
// Rows of the line table while they are collected: when one is made, where it belongs, and its view number.
//
// A .loc makes no row by itself. Its row stands at the next instruction (in LLVM: or data), or where the next .loc is,
// whichever comes first; with `view` it is made at once. Rows lie in one array in the order of the source; runs of rows
// of the same subsection are chained, so that the table can be written section by section without sorting.
//
// View numbers (GNU as) tell rows at one address apart: a row's view is 0 if its address is above that of the row
// before it, else one more than that row's. Which it is may be unknown until layout, if there is an alignment between
// the two that may come to nothing. Then the number is an expression: !(here - there) * (view of there + 1).
#include "asm/program/dwarf_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "asm/program/streamer.h"

namespace xas {

void DwarfLines::start(Program& program) {
  const Options& o = program.options;
  versions_.dwarf = o.dwarf_version ? o.dwarf_version
             : o.debug_lines ? program.profile.default_debug_version
                             : program.profile.default_line_version;
  if (!program.profile.cie_version_by_dwarf) raise_version(o.least_dwarf_version);
  versions_.min_line = program.profile.min_line_version;
  program.stab_lines.on = o.stabs;
  program.codeview.source_lines.on = o.codeview_lines && !o.stabs;
  makes_.statements = o.stabs || o.codeview_lines;
  makes_.rows = o.debug_lines && !makes_.statements;
  update_hooks();
}

void DwarfLines::update_hooks() {
  pending = makes_.rows || makes_.statements;
  wants_labels = makes_.label_rows || makes_.rows;
}

void DwarfLines::stop_generating(const Program& program) {
  if (std::exchange(makes_.statements, false)) update_hooks();
  if (!makes_.rows) return;
  makes_.rows = false;
  files = {};
  generated.labels.clear();
  if (!program.profile.generated_rows_stay) {
    rows.clear();
    row_labels.clear();
    runs.clear();
    sequences.clear();
    last_subsection_ = ~u32(0);
  }
  update_hooks();
}

void DwarfLines::wait(Streamer& out) {
  any_loc = wants_pieces = out.wants_fragments = true;
  pending = true;
  pending_data = !out.program.profile.lines_in_code_only;
  wants_sections = out.program.profile.loc_ends_with_section;
}

void DwarfLines::consume() {
  pending = makes_.rows || makes_.statements;
  pending_data = wants_sections = false;
  current.flags &= line_is_stmt;
  current.discriminator = 0;
}

void DwarfLines::flush(Streamer& out, bool of_label) {
  add_row(out, false, of_label);
  consume();
}

void DwarfLines::before_instruction(Streamer& out) {
  instruction_row_ = u32(rows.size());
  if (makes_.statements) {
    note_statement(out);
    if (!any_loc) return;
  }
  if (makes_.rows) return generate_row(out);
  flush(out);
}

void DwarfLines::move_row(const Streamer& out, u32 n) {
  if (u64(instruction_row_) + 1 != rows.size() || last_subsection_ != out.current->id) return;
  LineRow& row = rows.back();
  const u32 pos = u32(out.current->size);
  if (row.pos + n == pos) row.pos = sequences[last_subsection_].last_pos = pos;
}

void DwarfLines::note_statement(Streamer& out) {
  if (!makes_.statements) return;
  const u32 line = source_line(out, out.program.sources.statement).line;
  const std::string_view file = out.program.stab_lines.source_name.of_statement(out);
  out.program.stab_lines.on ? out.program.stab_lines.statement(out, file, line)
                            : out.program.codeview.source_lines.statement(out, file, line);
}

LineSequence& DwarfLines::sequence(Streamer& out) {
  const u32 id = out.current->id;
  if (id == last_subsection_) return sequences[id];
  if (id >= sequences.size()) sequences.resize(std::max<std::size_t>(id + 1, out.program.sections.subsections()));
  LineSequence& s = sequences[id];
  const u32 run = u32(runs.size());
  runs.push_back({.first = u32(rows.size()), .next = no_run});
  (s.last_run == no_run ? s.first_run : runs[s.last_run].next) = run;
  s.last_run = run;
  last_subsection_ = id;
  const u32 section = out.current->section;
  if (section >= listed_.size()) listed_.resize(std::max<std::size_t>(section + 1, out.program.sections.size()));
  if (!listed_[section]) {
    listed_[section] = true;
    sections.push_back(section);
  }
  return s;
}

void DwarfLines::drop_newest_run() {
  runs.pop_back();
  LineSequence& s = sequences[last_subsection_];
  u32 before = no_run;
  for (u32 run = s.first_run; run != s.last_run; run = runs[run].next) before = run;
  s.last_run = before;
  (before == no_run ? s.first_run : runs[before].next) = no_run;
  last_subsection_ = ~u32(0);
}

void DwarfLines::add_row(Streamer& out, bool has_view, bool of_label) {
  if (out.program.profile.lines_in_code_only) {
    constexpr u64 alloc_and_execute = 2 | 4;
    const Section& section = out.current_section();
    if ((section.flags & alloc_and_execute) != alloc_and_execute || section.nobits) {
      return out.warning(out.program.sources.statement,
                         fmt::format("line number ignored: section {} is not executable", section.name));
    }
  }
  if (out.program.profile.line_0_is_no_row && current.line == 0 && !of_label) return;
  LineSequence& s = sequence(out);
  if (has_view) {
    count_view(out, s, current.flags);
  } else {  // rows behind one without a number count from 0
    s.last_pos = u32(out.current->size);
    s.last_fragment = u32(out.current->fragments.size());
    s.view = 0;
    s.view_symbol = no_symbol;
  }
  make_room(rows);
  rows.emplace_back(u32(out.current->size), u32(out.current->fragments.size()), current.file, current.line,
                    current.column, current.discriminator, current.isa, current.flags);
}

void DwarfLines::add_piece(const Subsection& sub, u64 n, u64 fixed, u64 room) {
  make_room(pieces_.list);
  pieces_.list.emplace_back(sub.id, u32(sub.size - n), u32(sub.size), u32(sub.fragments.size()), u32(rows.size()),
                       u16(fixed), u16(room));
}

std::span<const LinePiece> DwarfLines::pieces_of(u32 subsection) {
  if (!std::exchange(pieces_.sorted, true))
    std::stable_sort(pieces_.list.begin(), pieces_.list.end(),
                     [](const LinePiece& a, const LinePiece& b) { return a.subsection < b.subsection; });
  const auto by_subsection = [](const LinePiece& piece, u32 id) { return piece.subsection < id; };
  const LinePiece* const begin = pieces_.list.data();
  const LinePiece* const end = begin + pieces_.list.size();
  const LinePiece* const first = std::lower_bound(begin, end, subsection, by_subsection);
  return {first, std::lower_bound(first, end, subsection + 1, by_subsection)};
}

void DwarfLines::add_label_row(Streamer& out, const Name& label, SourceLoc loc) {
  table_labels.push_back({.name = label, .loc = loc});
  LineSequence& s = sequence(out);
  s.last_pos = u32(out.current->size);
  s.last_fragment = u32(out.current->fragments.size());
  rows.push_back(
      {.pos = s.last_pos, .fragment = s.last_fragment, .line = u32(table_labels.size() - 1), .flags = line_label});
}

void DwarfLines::count_view(Streamer& out, LineSequence& s, u32 flags) {
  const u32 pos = u32(out.current->size), fragment = u32(out.current->fragments.size());
  const u32 last_pos = s.last_pos, last_fragment = s.last_fragment;
  const bool first = s.last_run == s.first_run && runs[s.last_run].first == rows.size();
  s.last_pos = pos;
  s.last_fragment = fragment;
  if (first || pos != last_pos || (flags & line_reset_view)) {
    s.view = 0;
    s.view_symbol = no_symbol;
    if (first && out.current->number != 0 && !(flags & line_reset_view))
      s.view_symbol = s.first_view = out.program.symbols.make_anonymous();
    return;
  }
  if (fragment == last_fragment) return void(++s.view);
  for (u32 i = last_fragment; i < fragment; ++i) {
    if (out.current->fragments[i].kind == FragmentKind::insn) {
      s.view = 0;
      s.view_symbol = no_symbol;
      return;
    }
  }
  const u32 id = out.current->id;
  s.view_symbol = out.program.symbol_for(next_view(out, s, {id, pos, fragment}, {id, last_pos, last_fragment}));
  s.view = 0;
}

/// The number of a row behind one of `s`: 0 unless both are at one address.
u32 DwarfLines::next_view(Streamer& out, const LineSequence& s, const Place& row, const Place& before) {
  const auto label_at = [&](const Place& place) {
    const SymbolId id = out.program.symbols.make_anonymous();
    out.program.symbols[id].become_label(place.subsection, place.pos, place.fragment);
    return id;
  };
  const SourceLoc loc = out.program.sources.statement_loc();
  const Value distance{.add = label_at(row), .sub = label_at(before)};
  const Value next{.constant = i64(s.view) + 1, .add = s.view_symbol};
  const u32 same_address = out.program.exprs.node(ExprOp::log_not, out.program.exprs.leaf(distance, loc), 0, loc);
  return out.program.exprs.node(ExprOp::mul, same_address, out.program.exprs.leaf(next, loc), loc);
}

void DwarfLines::link_views(Streamer& out) {
  for (const u32 section : sections) {
    u32 before = ~u32(0);  // the subsection with the rows before
    for (u32 id = out.program.sections[section].first; id != ~u32(0); id = out.program.sections.sub(id).next) {
      if (id >= sequences.size() || sequences[id].first_run == no_run) continue;
      if (const SymbolId view = sequences[id].first_view; view != no_symbol) {
        Symbol& symbol = out.program.symbols[view];
        symbol.kind = SymbolKind::absolute;
        if (before != ~u32(0)) {
          const LineRow& row = rows[runs[sequences[id].first_run].first];
          const LineSequence& s = sequences[before];
          const u32 node = next_view(out, s, {id, row.pos, row.fragment}, {before, s.last_pos, s.last_fragment});
          out.program.symbols[view].kind = SymbolKind::expression;
          out.program.symbols[view].value = node;
        }
      }
      before = id;
    }
  }
}

namespace {

void define_view(Streamer& out, const ViewName& view, const Value& number, SourceLoc loc) {
  SymbolTable& symbols = out.program.symbols;
  if (view.place && number.is_constant()) return symbols.define_number(view.place, u32(number.constant), loc);
  u32 size;
  out.assign(view.place ? symbols.intern_numbered(view.text, size) : view.symbol, number, loc, false);
}

}  // namespace

void DwarfLines::flush_with_view(Streamer& out, const ViewName& view, SourceLoc loc) {
  const std::size_t before = rows.size();
  add_row(out, true);
  consume();
  if (rows.size() == before) {
    if (view.is_given()) define_view(out, view, Value{}, loc);
    return;
  }
  const LineSequence& s = sequences[last_subsection_];
  const Value number{.constant = s.view, .add = s.view_symbol};
  if (view.is_given()) {
    define_view(out, view, number, loc);
  } else if (s.view != 0) {
    out.program.diags.error(loc, fmt::format("this row has view number {}{}, not 0", s.view,
                                             s.view_symbol == no_symbol ? "" : " or above"));
  } else if (s.view_symbol != no_symbol) {
    view_checks.push_back({s.view_symbol, loc});
  }
}

void DwarfLines::set_mark_labels(bool on) {
  makes_.label_rows = on;
  wants_labels = on || makes_.rows;
}

}  // namespace xas
