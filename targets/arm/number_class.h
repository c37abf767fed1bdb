// SPDX-License-Identifier: Apache-2.0
// Classes of numbers: those of one class take the same form of an instruction, as far as the fields of Thumb's short
// instructions, and the bytes of A32, end where classes do. For the line cache (targets/line_shape.h).
#pragma once

#include <bit>

#include "targets/hash.h"

namespace xas::arm {

/// A class: these numbers, and those of the other sign.
struct NumberClass {
  i32 low, high;
};
inline constexpr NumberClass thumb_number_classes[] = {{0, 7},     {8, 31},     {32, 63},         {64, 127},
                                                       {128, 255}, {256, 1023}, {1024, INT32_MAX}};
/// Bytes, which immediates hold as they are; the offsets of most loads.
inline constexpr NumberClass a32_number_classes[] = {{0, 255}, {256, 4095}, {4096, INT32_MAX}};

/// Which of them `number` is in; it is not the least of all numbers.
inline unsigned class_of(i32 number, bool thumb) {
  const u32 magnitude = u32(number < 0 ? -number : number);
  if (!thumb) return unsigned(magnitude > 255) + unsigned(magnitude > 4095);
  constexpr u8 by_bits[] = {0, 0, 0, 0, 1, 1, 2, 3, 4, 5, 5};
  const auto bits = unsigned(std::bit_width(magnitude));
  return bits < sizeof by_bits ? by_bits[bits] : 6;
}

inline const NumberClass& number_class(i32 number, bool thumb) {
  const unsigned c = class_of(number, thumb);
  return thumb ? thumb_number_classes[c] : a32_number_classes[c];
}

}  // namespace xas::arm
