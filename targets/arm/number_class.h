// SPDX-License-Identifier: Apache-2.0
// Classes of numbers: those of one class take the same form of an instruction, as far as the fields of Thumb's short
// instructions end where classes do. For the line cache (targets/line_shape.h).
#pragma once

#include <bit>

#include "targets/hash.h"

namespace xas::arm {

/// A class: these numbers, and those of the other sign.
struct NumberClass {
  i32 low, high;
};
inline constexpr NumberClass number_classes[] = {{0, 7},     {8, 31},     {32, 63},         {64, 127},
                                                 {128, 255}, {256, 1023}, {1024, INT32_MAX}};

/// Which of them `number` is in; it is not the least of all numbers.
inline unsigned class_of(i32 number) {
  constexpr u8 by_bits[] = {0, 0, 0, 0, 1, 1, 2, 3, 4, 5, 5};
  const auto bits = unsigned(std::bit_width(u32(number < 0 ? -number : number)));
  return bits < sizeof by_bits ? by_bits[bits] : 6;
}

}  // namespace xas::arm
