// SPDX-License-Identifier: Apache-2.0
// Registers as text. Hand-written rather than looked up, because most of what compilers write are registers.
#include "targets/arm/arm.h"
#include "targets/arm/register_sets.h"

namespace xas::arm {

using namespace text;
using namespace atoms;

bool read_register(const char*& p, Register& r) {
  const char* q = p + 1;
  u8 n = 0;
  const auto follows = [&](char c) { return (q[0] | 0x20) == c; };
  switch (p[0] | 0x20) {
    case 'r': return read_register_number(q, 15, n) && end_register(q, p, r, atom_low, n);
    case 's':
      if (follows('p')) return end_register(q + 1, p, r, atom_low, reg_sp);
      if (follows('l')) return end_register(q + 1, p, r, atom_low, 10);
      if (follows('b')) return end_register(q + 1, p, r, atom_low, 9);
      return read_register_number(q, 31, n) && end_register(q, p, r, atom_s, n);
    case 'l': return follows('r') && end_register(q + 1, p, r, atom_low, reg_lr);
    case 'p':
      if (follows('c')) return end_register(q + 1, p, r, atom_low, reg_pc);
      return read_register_number(q, 15, n) && end_register(q, p, r, atom_coprocessor, n);
    case 'i': return follows('p') && end_register(q + 1, p, r, atom_low, 12);
    case 'f': return follows('p') && end_register(q + 1, p, r, atom_low, 11);
    case 'd': return read_register_number(q, 31, n) && end_register(q, p, r, atom_d, n);
    case 'q':
      return read_register_number(q, 15, n) && end_register(q, p, r, atom_q, 2u * n);  // as the first of its two halves
    case 'w': return follows('r') && end_register(q + 1, p, r, atom_low, 7);
    case 'c':
      if (follows('r')) ++q;
      return read_register_number(q, 15, n) && end_register(q, p, r, atom_coprocessor_register, n);
    case 'a': return read_register_number(q, 4, n) && n && end_register(q, p, r, atom_low, n - 1u);
    case 'v': return read_register_number(q, 8, n) && n && end_register(q, p, r, atom_low, n + 3u);
    default: return false;
  }
}

int ArmTarget::parse_register(const char*& p) {
  Register r;
  return read_register(p, r) ? r.packed() : -1;
}

static constexpr auto ranges = register_ranges(register_sets);

bool ArmTarget::has_register(int number) const { return is_packed_register(ranges, number); }

Target::WinRegister ArmTarget::win_register(int number) const {
  const Register r = Register::unpack(number);
  if (r.atom == atom_low || r.atom == atom_high || r.atom == atom_sp || r.atom == atom_pc) return {'r', r.number};
  return {};
}

/// DWARF for the ARM Architecture, 3.1.
static int dwarf_of(const Register& r) {
  return r.atom == atom_low ? r.number : r.atom == atom_s ? 64 + r.number : r.atom == atom_d ? 256 + r.number : -1;
}

int ArmTarget::dwarf_number(int number) const { return dwarf_of(Register::unpack(number)); }

int ArmTarget::dwarf_register(const char*& p) const {
  const char* q = p;
  Register r;
  if (!read_register(q, r)) {
    constexpr std::string_view signature = "ra_auth_code";
    while (is_name_char(*q)) ++q;
    if (!equals_ignoring_case({p, std::size_t(q - p)}, signature)) return -1;
    p = q;
    return 143;
  }
  const int n = dwarf_of(r);
  if (n >= 0) p = q;
  return n;
}

}  // namespace xas::arm
