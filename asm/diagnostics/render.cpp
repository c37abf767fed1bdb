// SPDX-License-Identifier: Apache-2.0
// Diagnostics as text.
//
// A caret has to stand under its column whatever the line holds: tabs are widened to blanks, bytes that are no UTF-8
// and control characters are shown as <hex>, what nobody would see (byte-order marks, changes of direction) as <U+hex>,
// wide characters count two columns and combining ones none. A line may be the whole file (megabytes without a
// newline), so only a window around the caret is ever looked at.

#include "asm/diagnostics/render.h"

#include <algorithm>
#include <utility>

#include "asm/text/append.h"
#include "asm/text/json.h"

namespace xas {
namespace {

constexpr std::size_t window_bytes = 256;  // looked at on each side of the caret
constexpr unsigned window_columns = 110;   // shown
constexpr unsigned tab_stop = 8;

struct Colors {
  const char* place = "";
  const char* error = "";
  const char* warning = "";
  const char* note = "";
  const char* caret = "";
  const char* off = "";
};
constexpr Colors no_colors;
constexpr Colors ansi_colors = {"\033[1m", "\033[1;31m", "\033[1;35m", "\033[1;36m", "\033[1;32m", "\033[0m"};

/// Characters of Unicode.
struct Range {
  u32 first, last;
  bool has(u32 code) const { return code >= first && code <= last; }
};

/// Nothing is seen of it where it stands: byte-order marks, changes of direction, blanks without a width.
bool is_invisible(u32 code) {
  constexpr Range invisible[] = {
      {0x200B, 0x200B}, {0x200E, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF}};
  return std::ranges::any_of(invisible, [code](const Range& r) { return r.has(code); });
}

/// Columns a character takes on a terminal, by the main blocks of Unicode's East Asian Width and combining marks.
unsigned width_of(u32 code) {
  constexpr Range none[] = {{0x300, 0x36F}, {0x200C, 0x200D}, {0x20D0, 0x20F0}, {0xFE00, 0xFE0F}};
  constexpr Range two[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},  {0xAC00, 0xD7A3},
                           {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},  {0xFFE0, 0xFFE6},
                           {0x1F300, 0x1F64F}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
  auto in = [code](const Range& r) { return r.has(code); };
  if (std::ranges::any_of(none, in)) return 0;
  return std::ranges::any_of(two, in) ? 2 : 1;
}

}  // namespace

unsigned show_character(std::string_view text, std::string& shown, u32& code) {
  const unsigned n = decode_utf8(text, code);
  const bool is_control = code < 0x20 || code == 0x7F || (code >= 0x80 && code < 0xA0);
  const bool invisible = is_invisible(code);
  if (n && !is_control && !invisible) return shown += text.substr(0, n), n;
  if (n && invisible) return append(shown, "<U+{:04X}>", std::exchange(code, 0)), n;
  code = 0;
  append(shown, "<{:02x}>", u8(text[0]));
  return 1;
}

namespace {

/// A piece of the line as it is shown.
struct Cell {
  std::string shown;
  unsigned width;
  std::size_t byte;  ///< where it begins in the line
};

std::vector<Cell> cells_of(std::string_view line, std::size_t first, std::size_t last) {
  std::vector<Cell> cells;
  unsigned column = 0;
  for (std::size_t i = first; i < last;) {
    Cell cell{{}, 1, i};
    if (line[i] == '\t') {
      cell.width = tab_stop - column % tab_stop;
      cell.shown.assign(cell.width, ' ');
      ++i;
    } else {
      u32 code = 0;
      i += show_character(line.substr(i, last - i), cell.shown, code);
      cell.width = code ? width_of(code) : unsigned(cell.shown.size());
    }
    column += cell.width;
    cells.push_back(std::move(cell));
  }
  return cells;
}

/// The line and below it the caret, indented by one blank.
void write_source_line(std::string& out, const xas_diagnostic& d, const Colors& colors) {
  std::string_view line(d.source_line, d.source_line_size);
  std::size_t at = std::min<std::size_t>(d.column - 1, line.size());
  std::size_t first = at > window_bytes ? at - window_bytes : 0;
  while (first > 0 && first < at && (u8(line[first]) & 0xC0) == 0x80) ++first;  // not into a character's middle
  std::size_t last = std::min(line.size(), at + window_bytes);
  std::vector<Cell> cells = cells_of(line, first, last);

  unsigned caret = 0, total = 0, underline = 0;
  for (const Cell& cell : cells) {
    if (cell.byte < at) caret += cell.width;
    if (cell.byte >= at && cell.byte < at + d.length) underline += cell.width;
    total += cell.width;
  }
  // What is too far left of the caret, or right of it, is left out.
  unsigned from = total > window_columns && caret > window_columns * 2 / 3 ? caret - window_columns / 2 : 0;
  unsigned to = from + window_columns;
  bool cut_left = from > 0 || first > 0, cut_right = last < line.size();

  std::string text, marks;
  unsigned column = 0;
  if (cut_left) text = "... ", marks = "    ";
  for (const Cell& cell : cells) {
    unsigned start = column;
    column += cell.width;
    if (start < from) continue;
    if (column > to) {
      cut_right = true;
      break;
    }
    text += cell.shown;
    if (cell.byte < at) marks.append(cell.width, ' ');
  }
  if (cut_right) text += " ...";
  unsigned room = caret < to ? to - caret : 1;
  marks += colors.caret;
  marks += '^';
  marks.append(std::min(underline ? underline - 1 : 0, room - 1), '~');
  marks += colors.off;
  (out += ' ') += text;
  (out += "\n ") += marks;
  out += '\n';
}

void write_diagnostic(std::string& out, const xas_diagnostic& d, const Colors& colors) {
  out += colors.place;
  if (d.line) {
    ((out += d.file) += ':') += std::to_string(d.line);
    (out += ':') += std::to_string(d.column);
  } else {
    out += "xas";
  }
  out += ": ";
  switch (d.severity) {
    case XAS_ERROR: (out += colors.error) += "error: "; break;
    case XAS_WARNING: (out += colors.warning) += "warning: "; break;
    case XAS_NOTE: (out += colors.note) += "note: "; break;
  }
  out += colors.off;
  if (d.severity != XAS_NOTE) out += colors.place;
  out += d.message;
  if (d.severity != XAS_NOTE) out += colors.off;
  out += '\n';
  if (d.source_line_size && d.column) write_source_line(out, d, colors);
  for (std::size_t i = 0; i < d.note_count; ++i) write_diagnostic(out, d.notes[i], colors);
}

}  // namespace

void Report::write_text(std::string& out, bool color) const {
  const Colors& colors = color ? ansi_colors : no_colors;
  for (const xas_diagnostic& d : list_) write_diagnostic(out, d, colors);
  if (errors_ > shown_errors_) {
    ((out += "xas: too many errors: ") += std::to_string(errors_)) += " in all, ";
    (out += std::to_string(shown_errors_)) += " of them shown; -fmax-errors=0 shows all\n";
  }
}

}  // namespace xas
