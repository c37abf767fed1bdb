// Registers as text. Hand-written rather than looked up, because most of what compilers write are registers.
#include <array>

#include "targets/arm/arm.h"

namespace xas::arm {

namespace {

constexpr std::array<bool, 256> name_chars = [] {
  std::array<bool, 256> t{};
  for (int c = 0; c < 256; ++c)
    t[unsigned(c)] = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.' || c >= 128;
  return t;
}();

/// One or two digits, at most `last`; no zero in front.
bool number(const char*& q, unsigned last, u8& n) {
  unsigned d = u8(q[0]) - '0';
  if (d > 9) return false;
  ++q;
  if (const unsigned e = u8(q[0]) - '0'; e <= 9) {
    if (d == 0) return false;
    d = d * 10 + e;
    ++q;
  }
  n = u8(d);
  return d <= last;
}

bool done(const char* q, const char*& p, Register& r, Atom atom, unsigned n) {
  if (name_chars[u8(*q)]) return false;
  p = q;
  r = {atom, u8(n)};
  return true;
}

}  // namespace

bool read_register(const char*& p, Register& r) {
  const char* q = p + 1;
  u8 n = 0;
  const auto follows = [&](char c) { return (q[0] | 0x20) == c; };
  switch (p[0] | 0x20) {
    case 'r': return number(q, 15, n) && done(q, p, r, atom_low, n);
    case 's':
      if (follows('p')) return done(q + 1, p, r, atom_low, reg_sp);
      if (follows('l')) return done(q + 1, p, r, atom_low, 10);
      if (follows('b')) return done(q + 1, p, r, atom_low, 9);
      return number(q, 31, n) && done(q, p, r, atom_s, n);
    case 'l': return follows('r') && done(q + 1, p, r, atom_low, reg_lr);
    case 'p':
      if (follows('c')) return done(q + 1, p, r, atom_low, reg_pc);
      return number(q, 15, n) && done(q, p, r, atom_coprocessor, n);
    case 'i': return follows('p') && done(q + 1, p, r, atom_low, 12);
    case 'f': return follows('p') && done(q + 1, p, r, atom_low, 11);
    case 'd': return number(q, 31, n) && done(q, p, r, atom_d, n);
    case 'q': return number(q, 15, n) && done(q, p, r, atom_q, 2u * n);  // as the first of its two halves
    case 'c':
      if (follows('r')) ++q;
      return number(q, 15, n) && done(q, p, r, atom_coprocessor_register, n);
    case 'a': return number(q, 4, n) && n && done(q, p, r, atom_low, n - 1u);
    case 'v': return number(q, 8, n) && n && done(q, p, r, atom_low, n + 3u);
    default: return false;
  }
}

int ArmTarget::parse_register(const char*& p) {
  Register r;
  return read_register(p, r) ? register_number(r) : -1;
}

/// DWARF for the ARM Architecture, 3.1.
int ArmTarget::dwarf_register(const char*& p) const {
  const char* q = p;
  Register r;
  if (!read_register(q, r)) return -1;
  int n = -1;
  if (r.atom == atom_low) n = r.number;
  else if (r.atom == atom_s) n = 64 + r.number;
  else if (r.atom == atom_d) n = 256 + r.number;
  if (n >= 0) p = q;
  return n;
}

}  // namespace xas::arm
