// The key of a shape (asm/instruction_shape.h, asm/word_shape.h) while its line is read: the line with a mark in the place
// of each piece that is taken out.
#pragma once

#include <cstring>

#include "asm/instruction_memo.h"

namespace xas {

/// Lines have at most max_shape_line characters, and so many can be read behind any place of one.
inline constexpr unsigned max_shape_line = 64;

class ShapeKey {
 public:
  explicit ShapeKey(const char* line) : line_(line) {}

  /// The mark takes the place of [begin, end), which lies behind what was taken out before. False: it gets too long.
  bool take_out(unsigned begin, unsigned end, u8 mark) {
    if (used_ + begin - from_ > max_key_text) return false;
    copy(begin);
    text_[used_++] = mark;
    from_ = end;
    return true;
  }

  /// The rest of the line, which has `size` characters. False: it gets too long.
  bool finish(unsigned size, TextKey& key) {
    if (used_ + size - from_ > max_key_text) return false;
    copy(size);
    std::memset(text_ + used_, 0, sizeof key);
    text_[sizeof key - 1] = u8(used_);
    std::memcpy(key, text_, sizeof key);
    return true;
  }

 private:
  void copy(unsigned to) {
    std::memcpy(text_ + used_, line_ + from_, 16);
    if (to - from_ > 16) [[unlikely]] std::memcpy(text_ + used_ + 16, line_ + from_ + 16, 16);
    used_ += to - from_;
  }

  const char* line_;
  alignas(16) u8 text_[sizeof(TextKey) + max_shape_line];
  unsigned used_ = 0;  ///< of the text
  unsigned from_ = 0;  ///< of the line: up to here it is in the text
};

}  // namespace xas
