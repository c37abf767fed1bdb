// SPDX-License-Identifier: Apache-2.0
// What call frame information needs to know of x86: register numbers (System V psABI) and the initial rules.
#include "targets/text.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

/// With or without %, in both widths' numbering; `st(1)` too.
int X86Target::dwarf_register(const char*& p) const {
  const char* q = p;
  if (*q == '%') ++q;
  u64 word = 0;
  unsigned n = 0;
  for (;; ++n) {
    char c = q[n];
    bool name = u8((c | 0x20) - 'a') <= 25 || u8(c - '0') <= 9 || c == '.';
    if (!name) break;
    if (n >= 8) return -1;
    word |= u64(u8(text::lower(c))) << (8 * n);
  }
  if (n == 2 && word == name_word("st", 2) && q[2] == '(' && u8(q[3] - '0') <= 7 && q[4] == ')') {
    word |= u64(u8(q[3])) << 16;
    n = 5;
  }
  int i = n ? find_register(word) : -1;
  if (i < 0) return -1;
  const int number = dwarf_number(i);
  if (number < 0) return -1;
  p = q + n;
  return number;
}

Target::CfiDefaults X86Target::cfi_defaults() const {
  if (options_.bits == 64) {
    bool coff = options_.format == ObjectFormat::coff;
    i8 factor = coff && !options_.gnu ? -4 : -8;
    u8 column = coff && options_.gnu ? 32 : 16;
    return {1, factor, column, 7, 8, true, -8};
  }
  return {1, -4, 8, 4, 4, true, -4};
}

}  // namespace xas::x86
