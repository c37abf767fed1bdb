// SPDX-License-Identifier: Apache-2.0
// Blanks between the parts of operands; to both reference assemblers these are more than spaces and tabs.
#pragma once

#include "xas/types.hpp"

namespace xas::x86 {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

/// Behind blanks and comments that are closed.
inline const char* skip_blanks(const char* p) {
  for (;;) {
    // '!' to '.' and '0' onwards neither are blank nor start a comment.
    if (u8(*p) > '/' || (u8(*p) > ' ' && *p != '/')) [[likely]] return p;
    while (is_blank(*p)) ++p;
    if (p[0] != '/' || p[1] != '*') return p;
    const char* q = p + 2;
    while (*q && !(q[0] == '*' && q[1] == '/')) ++q;
    if (!*q) return p;
    p = q + 2;
  }
}

}  // namespace xas::x86
