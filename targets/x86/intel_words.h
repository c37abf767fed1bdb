// SPDX-License-Identifier: Apache-2.0
// The words and operators of Intel operands. Capitals make no difference.
#pragma once

#include "targets/text.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

/// The word at p in lower case; empty if there is none, or if it is longer than any keyword.
struct IntelWord {
  char text[10];
  unsigned size = 0;
  const char* end;
  /// Reads on at p, but no more than `limit` characters.
  explicit IntelWord(const char* p, std::size_t limit = ~std::size_t(0)) {
    unsigned n = 0;
    while (n < limit && text::is_name_char(p[n])) ++n;
    end = p + n;
    if (n > sizeof text) return;
    for (; size < n; ++size) text[size] = text::lower(p[size]);
  }
  std::string_view view() const { return {text, size}; }
};

struct IntelOperator {
  ExprOp op = ExprOp::leaf;
  u8 gnu = 0, llvm = 0;  ///< precedence: higher binds tighter
  u8 length = 0;
};

/// The operator at p, a word or not; none if there is none.
IntelOperator intel_operator_at(const char* p);

/// What stands before PTR: the memory class it means, and its size in bytes as a number. Where only one of the
/// assemblers has a word, or means something by it, both profiles have it, but for `xword`, which is LLVM's.
struct SizeWord {
  std::string_view text;
  u64 memory;
  u8 bytes;
  bool of_llvm = false;  ///< GNU as does not know it
};

inline constexpr SizeWord size_words[] = {
    {"byte", class_bit("m8"), 1},         {"word", class_bit("m16"), 2},         {"dword", class_bit("m32"), 4},
    {"qword", class_bit("m64"), 8},       {"fword", class_bit("m"), 6},          {"tbyte", class_bit("m80"), 10},
    {"xmmword", class_bit("m128"), 16},   {"ymmword", class_bit("m256"), 32},    {"zmmword", class_bit("m512"), 64},
    {"mmword", class_bit("m64"), 8},      {"oword", class_bit("m128"), 16},      {"xword", class_bit("m80"), 10, true},
    {"float", class_bit("m32"), 4, true}, {"double", class_bit("m64"), 8, true}, {"long", class_bit("m32"), 4, true}};

}  // namespace xas::x86
