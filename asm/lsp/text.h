// SPDX-License-Identifier: Apache-2.0
// A document as editors see it: lines, and places in them that count UTF-16 units (LSP 3.17, "Text Documents").
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xas/types.hpp"

namespace xas::lsp {

/// A place of the protocol; both from 0.
struct Position {
  u32 line = 0;
  u32 character = 0;  ///< in UTF-16 units

  bool operator==(const Position&) const = default;
};

struct Range {
  Position start, end;

  bool operator==(const Range&) const = default;
};

class Text {
 public:
  explicit Text(std::string text) { replace(std::move(text)); }

  void replace(std::string text);
  /// Puts `text` in the place of a range. What lies outside of the document is moved to its end.
  void replace(const Range& range, std::string_view text);

  std::string_view all() const { return text_; }
  u32 line_count() const { return u32(starts_.size()); }
  /// A line without its end; empty beyond the last one.
  std::string_view line(u32 number) const;
  /// Byte `column` of a line as a place; what lies behind the line's end is that end.
  Position position(u32 line, std::size_t column) const;
  Range range(u32 line, std::size_t begin, std::size_t end) const {
    return {position(line, begin), position(line, end)};
  }
  /// The byte of its line at a place.
  std::size_t column(Position at) const;

 private:
  std::size_t offset(Position at) const;

  std::string text_;
  std::vector<std::size_t> starts_;  ///< of the lines
};

}  // namespace xas::lsp
