// SPDX-License-Identifier: Apache-2.0
#include "asm/lsp/text.h"

#include <algorithm>

namespace xas::lsp {

namespace {

/// Bytes of the character that begins with `lead`; of what is no UTF-8, one.
std::size_t character_size(char lead) {
  const u8 c = u8(lead);
  return c < 0xC0 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF8 ? 4 : 1;
}

/// Calls `each` with the byte where a character of the line begins and the units before it, until that returns false.
/// The line's end is the last one.
template <class Each>
void for_each_character(std::string_view line, const Each& each) {
  u32 units = 0;
  for (std::size_t at = 0; at < line.size();) {
    if (!each(at, units)) return;
    const std::size_t size = character_size(line[at]);
    units += size == 4 ? 2 : 1;
    at = std::min(at + size, line.size());
  }
  each(line.size(), units);
}

}  // namespace

void Text::replace(std::string text) {
  text_ = std::move(text);
  starts_.assign(1, 0);
  for (std::size_t at = text_.find('\n'); at != text_.npos; at = text_.find('\n', at + 1)) starts_.push_back(at + 1);
}

void Text::replace(const Range& range, std::string_view text) {
  const std::size_t begin = offset(range.start), end = std::max(begin, offset(range.end));
  std::string changed = text_;
  changed.replace(begin, end - begin, text);
  replace(std::move(changed));
}

std::string_view Text::line(u32 number) const {
  if (number >= starts_.size()) return {};
  const std::size_t begin = starts_[number];
  const std::size_t end = number + 1 < starts_.size() ? starts_[number + 1] - 1 : text_.size();
  std::string_view line(text_.data() + begin, end - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

Position Text::position(u32 number, std::size_t column) const {
  Position at{number, 0};
  for_each_character(line(number), [&](std::size_t byte, u32 units) {
    if (byte <= column) at.character = units;
    return byte < column;
  });
  return at;
}

std::size_t Text::column(Position at) const {
  std::size_t column = 0;
  for_each_character(line(at.line), [&](std::size_t byte, u32 units) {
    if (units <= at.character) column = byte;
    return units < at.character;
  });
  return column;
}

std::size_t Text::offset(Position at) const {
  return at.line < starts_.size() ? starts_[at.line] + column(at) : text_.size();
}

}  // namespace xas::lsp
