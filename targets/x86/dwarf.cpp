// SPDX-License-Identifier: Apache-2.0
// What call frame information needs to know of x86: register numbers (System V psABI) and the initial rules.
#include "targets/x86/register_names.h"

namespace xas::x86 {

/// With or without %, in both widths' numbering; `st(1)` too.
int X86Target::dwarf_register(const char*& p) const {
  const char* q = p;
  const int i = read_register_name(q);
  const int number = i < 0 ? -1 : dwarf_number(i);
  if (number >= 0) p = q;
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
