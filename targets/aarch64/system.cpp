// SPDX-License-Identifier: Apache-2.0
// System registers: by name out of the tables, and S<op0>_<op1>_C<n>_C<m>_<op2> by its numbers.
#include "targets/aarch64/aarch64.h"
#include "targets/aarch64/tables.h"

namespace xas::aarch64 {

namespace {

/// A number at p of at most two digits; p moved behind it.
bool small_number(std::string_view& s, unsigned last, u32& n) {
  if (s.empty() || u8(s[0] - '0') > 9) return false;
  n = 0;
  while (!s.empty() && u8(s[0] - '0') <= 9 && n < 100) {
    n = n * 10 + u32(s[0] - '0');
    s.remove_prefix(1);
  }
  return n <= last;
}

bool take(std::string_view& s, char c) {
  if (s.empty() || (s[0] | 0x20) != (c | 0x20)) return false;
  s.remove_prefix(1);
  return true;
}

bool take_plain(std::string_view& s, char c) {
  if (s.empty() || s[0] != c) return false;
  s.remove_prefix(1);
  return true;
}

/// s3_1_c15_c0_2; GNU as does not look at what follows.
bool generic(std::string_view s, bool gnu, u32& value) {
  u32 op0, op1, n, m, op2;
  if (!take(s, 's') || !small_number(s, 3, op0) || !take_plain(s, '_') || !small_number(s, 7, op1) ||
      !take_plain(s, '_') || !take(s, 'c') || !small_number(s, 15, n) || !take_plain(s, '_') || !take(s, 'c') ||
      !small_number(s, 15, m) || !take_plain(s, '_') || !small_number(s, 7, op2) || (!s.empty() && !gnu))
    return false;
  value = op0 << 14 | op1 << 11 | n << 7 | m << 3 | op2;
  return true;
}

}  // namespace

/// The register's entry whether or not it may be used; null if there is none.
const NameEntry* AArch64Target::system_name(std::string_view name, bool write, bool pair) const {
  const NameEntry* e = find_name(names_sysreg, name);
  if (!e) e = find_name(write ? names_sysreg_write : names_sysreg_read, name);
  // GNU as warns only of the wrong direction, where a register has 64 bits.
  if (!e && options_.gnu && !pair) e = find_name(write ? names_sysreg_read : names_sysreg_write, name);
  return e;
}

bool AArch64Target::system_register(std::string_view name, bool write, bool pair, u32& value) const {
  if (generic(name, options_.gnu, value)) {
    if (pair && options_.gnu) value |= 0x8000;
    return true;
  }
  const NameEntry* e = system_name(name, write, pair);
  // LLVM has names that only one of its releases knows, whatever is selected.
  const bool asks = !options_.gnu || (gated_ && checks_system_registers_);
  if (!e || (asks && !available(e->features))) return false;
  value = e->value | 0x8000;
  return true;
}

}  // namespace xas::aarch64
