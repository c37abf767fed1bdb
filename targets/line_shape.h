// SPDX-License-Identifier: Apache-2.0
// Shapes of lines that are one instruction: the keys of the line cache (asm/read/cache/line_cache.h), which a target
// makes of its own syntax.
//
// Compiler output repeats some hundred shapes: `movq N(%rsp), R`, `call NAME`, `leaq NAME(%rip), R`. A shape is the
// line with its numbers, registers and its name taken out, and a mark in the place of each. What is not understood
// stays as it is written, so a shape need not understand a line: what its text means is found out by assembling the
// first one. Lines in which a name could end elsewhere have no shape.
#pragma once

#include <cstring>
#include <string_view>

#include "targets/instruction_fields.h"

namespace xas {

/// Characters that a key of the line cache has room for.
inline constexpr u32 max_key_text = 31;
/// A text, zeros behind it, and its size in the last byte.
using TextKey = u64[(max_key_text + 1) / 8];

/// What stands for a register in a shape, and all above. Below are the marks of numbers and names, and characters.
inline constexpr u8 first_register_mark = 0xB0;

/// What an instruction that is said by values (Target::typed_shape) has in the place of a shape's name: one symbol, and
/// what is added to it.
struct ShapeSymbol {
  u32 handle = 0;  ///< the caller's (xas_symbol); 0: there is none
  u32 id = 0;      ///< a SymbolId, if there is one
  i64 constant = 0;
};

/// A line, and what is known of the text it stands in.
struct LineText {
  const char* p;      ///< max_shape_line bytes behind any place of the text can be read
  const char* limit;  ///< where the text ends
  bool wide_names;    ///< names may contain '@' and '?'
};

/// A line of a target whose instructions are of any size.
struct InstructionShape {
  TextKey key;                 ///< the line, with a byte above 127 for what was taken out
  const char* end;             ///< of the line: its newline; not set without one
  std::string_view name;       ///< what was taken out; empty if there is no name
  bool has_displacement, has_immediate;
  i32 displacement, immediate;
  u32 register_count;          ///< those in a group, whether they were taken out or not
  struct {
    u8 number;                 ///< within its group
    bool taken;
  } registers[InstructionFields::max_registers];
};

/// A line of a target whose instructions are words.
struct WordShape {
  TextKey key;
  const char* end;        ///< of the line: its newline
  std::string_view name;  ///< what was taken out; empty if there is no name
  WordPieces pieces;
};

/// Lines have at most max_shape_line characters, and so many can be read behind any place of one.
inline constexpr unsigned max_shape_line = 64;

/// The decimal number [begin, stop) of the line of `size` characters at p, which ends an operand or stands before a
/// bracket. False: it is something else, or is written with zeros in front.
inline bool read_shape_number(const char* p, unsigned begin, unsigned stop, unsigned size, i32& number) {
  if (stop - begin > 9 || (p[begin] == '0' && stop - begin > 1)) return false;
  if (stop != size && p[stop] != ',' && p[stop] != ']') return false;
  number = 0;
  for (unsigned i = begin; i < stop; ++i) {
    const unsigned digit = u8(p[i] - '0');
    if (digit > 9) return false;
    number = number * 10 + i32(digit);
  }
  return true;
}

/// The key of a shape while its line is read.
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
