// SPDX-License-Identifier: Apache-2.0
// Registers as text. Hand-written rather than looked up, because most of what compilers write are registers.
//
// Names count in any case. What follows the number of a vector register is part of the class (v0.4s, z3.d, p1/m).
#include "targets/aarch64/aarch64.h"
#include "targets/aarch64/register_sets.h"

namespace xas::aarch64 {

using namespace text;
using namespace atoms;

namespace {

/// The element size at q: b h s d q, as 1 to 5; 0: none.
unsigned element(char c) {
  switch (c | 0x20) {
    case 'b': return 1;
    case 'h': return 2;
    case 's': return 3;
    case 'd': return 4;
    case 'q': return 5;
    default: return 0;
  }
}

/// `.d`; p unmoved if there is none.
unsigned element_suffix(const char*& q) {
  if (*q != '.') return 0;
  const unsigned e = element(q[1]);
  if (e == 0 || is_name_char(q[2])) return 0;
  q += 2;
  return e;
}

/// `.4s`, `.s`: the atom, or none.
Atom arrangement(const char*& q) {
  const char* p = q + 1;
  unsigned lanes = 0;
  while (u8(*p - '0') <= 9 && lanes < 100) lanes = lanes * 10 + unsigned(*p++ - '0');
  const unsigned e = element(*p);
  if (e == 0 || is_name_char(p[1])) return atom_none;
  Atom atom = atom_none;
  if (p == q + 1) {
    constexpr Atom by_element[] = {atom_none, atom_v_b, atom_v_h, atom_v_s, atom_v_d, atom_v_q};
    atom = by_element[e];
  } else {
    switch (lanes * 8 + e) {
      case 8 * 8 + 1: atom = atom_v_8b; break;
      case 16 * 8 + 1: atom = atom_v_16b; break;
      case 4 * 8 + 2: atom = atom_v_4h; break;
      case 8 * 8 + 2: atom = atom_v_8h; break;
      case 2 * 8 + 3: atom = atom_v_2s; break;
      case 4 * 8 + 3: atom = atom_v_4s; break;
      case 1 * 8 + 4: atom = atom_v_1d; break;
      case 2 * 8 + 4: atom = atom_v_2d; break;
      case 1 * 8 + 5: atom = atom_v_1q; break;
      case 2 * 8 + 2: atom = atom_v_2h; break;
      case 4 * 8 + 1: atom = atom_v_4b; break;
      case 2 * 8 + 1: atom = atom_v_2b; break;
      default: break;
    }
  }
  if (atom) q = p + 1;
  return atom;
}

bool read_vector(const char* q, const char*& p, Register& r) {
  u8 n;
  if (!read_register_number(q, 31, n)) return false;
  if (*q != '.') return end_register(q, p, r, atom_v, n);
  const Atom atom = arrangement(q);
  return atom && end_register(q, p, r, atom, n);
}

bool read_predicate(const char* q, const char*& p, Register& r) {
  Atom first = atom_p;
  if ((*q | 0x20) == 'n') {
    first = atom_pn;
    ++q;
  }
  u8 n;
  if (!read_register_number(q, 15, n)) return false;
  if (*q == '/') {
    const char c = q[1] | 0x20;
    if (c != 'z' && c != 'm') return false;
    q += 2;
    return end_register(q, p, r, Atom(first + (c == 'z' ? 6 : 7)), n);
  }
  const unsigned e = element_suffix(q);
  return end_register(q, p, r, Atom(first + e), n);
}

/// z0, za, za0, za0h, za0v, zt0, each with an element size where it can have one.
bool read_scalable(const char* q, const char*& p, Register& r) {
  u8 n = 0;
  if ((*q | 0x20) == 't') return q[1] == '0' && end_register(q + 2, p, r, atom_zt0, 0);
  if ((*q | 0x20) != 'a') {
    if (!read_register_number(q, 31, n)) return false;
    const unsigned e = element_suffix(q);
    return end_register(q, p, r, Atom(atom_z + e), n);
  }
  ++q;
  Atom first = atom_za;
  if (read_register_number(q, 15, n)) {
    first = atom_tile;
    const char c = *q | 0x20;
    if (c == 'h' || c == 'v') {
      first = c == 'h' ? atom_row : atom_col;
      ++q;
    }
  }
  const unsigned e = element_suffix(q);
  if (e && first != atom_za && n >= (1u << (e - 1))) return false;
  return end_register(q, p, r, Atom(first + e), n);
}

}  // namespace

bool read_register(const char*& p, Register& r) {
  const char* q = p + 1;
  u8 n;
  switch (p[0] | 0x20) {
    case 'x':
      if (read_register_number(q, 31, n)) return end_register(q, p, r, n == 31 ? atom_xzr : atom_x, n);
      if ((q[0] | 0x20) == 'z' && (q[1] | 0x20) == 'r') return end_register(q + 2, p, r, atom_xzr, 31);
      return false;
    case 'w':
      if (read_register_number(q, 31, n)) return end_register(q, p, r, n == 31 ? atom_wzr : atom_w, n);
      if ((q[0] | 0x20) == 'z' && (q[1] | 0x20) == 'r') return end_register(q + 2, p, r, atom_wzr, 31);
      if ((q[0] | 0x20) == 's' && (q[1] | 0x20) == 'p') return end_register(q + 2, p, r, atom_wsp, 31);
      return false;
    case 's':
      if ((q[0] | 0x20) == 'p') return end_register(q + 1, p, r, atom_sp, 31);
      return read_register_number(q, 31, n) && end_register(q, p, r, atom_s, n);
    case 'b': return read_register_number(q, 31, n) && end_register(q, p, r, atom_b, n);
    case 'h': return read_register_number(q, 31, n) && end_register(q, p, r, atom_h, n);
    case 'd': return read_register_number(q, 31, n) && end_register(q, p, r, atom_d, n);
    case 'q': return read_register_number(q, 31, n) && end_register(q, p, r, atom_q, n);
    case 'v': return read_vector(q, p, r);
    case 'z': return read_scalable(q, p, r);
    case 'p': return read_predicate(q, p, r);
    case 'l': return (q[0] | 0x20) == 'r' && end_register(q + 1, p, r, atom_x, 30);
    case 'f': return (q[0] | 0x20) == 'p' && end_register(q + 1, p, r, atom_x, 29);
    case 'i':
      if ((q[0] | 0x20) != 'p' || (q[1] != '0' && q[1] != '1')) return false;
      return end_register(q + 2, p, r, atom_x, u8(16 + q[1] - '0'));
    default: return false;
  }
}

int AArch64Target::parse_register(const char*& p) {
  Register r;
  return read_register(p, r) ? r.packed() : -1;
}

static constexpr auto ranges = register_ranges(register_sets);

bool AArch64Target::has_register(int number) const { return is_packed_register(ranges, number); }

Target::WinRegister AArch64Target::win_register(int number) const {
  const Register r = Register::unpack(number);
  if (r.atom >= atom_z && r.atom <= atom_z_q) return {'z', r.number};
  if (r.atom >= atom_p && r.atom <= atom_p_q) return {'p', r.number};
  switch (r.atom) {
    case atom_x: return {'x', r.number};
    case atom_d: return {'d', r.number};
    case atom_q: return {'q', r.number};
    default: return {};
  }
}

/// DWARF for the Arm 64-bit Architecture, 4.1.
static int dwarf_of(const Register& r) {
  if (r.atom == atom_x || r.atom == atom_w) return r.number;
  if (r.atom == atom_sp || r.atom == atom_wsp || r.atom == atom_xzr || r.atom == atom_wzr) return 31;
  if ((r.atom >= atom_b && r.atom <= atom_q) || r.atom == atom_v) return 64 + r.number;
  if (r.atom == atom_z) return 96 + r.number;
  return r.atom == atom_p ? 48 + r.number : -1;
}

int AArch64Target::dwarf_number(int number) const { return dwarf_of(Register::unpack(number)); }

int AArch64Target::dwarf_register(const char*& p) const {
  const char* q = p;
  Register r;
  if (read_register(q, r)) {
    const int n = dwarf_of(r);
    if (n >= 0) p = q;
    return n;
  }
  constexpr struct {
    std::string_view name;
    int number;
  } others[] = {{"ra_sign_state", 34}, {"tpidrro_el0", 35}, {"tpidr_el0", 36}, {"tpidr_el1", 37}, {"tpidr_el2", 38},
                {"tpidr_el3", 39}, {"vg", 46}, {"ffr", 47}};
  for (const auto& o : others) {
    std::size_t i = 0;
    while (i < o.name.size() && (p[i] | 0x20) == (o.name[i] | 0x20)) ++i;
    if (i < o.name.size() || is_name_char(p[i])) continue;
    p += i;
    return o.number;
  }
  return -1;
}

}  // namespace xas::aarch64
