// The operands of one statement as the parser leaves them: a signature of atoms (row.h) and a value beside each.
#pragma once

#include "targets/arm/row.h"
#include "targets/target.h"

namespace xas::arm {

struct Operands {
  u64 signature[2] = {0, 0};
  unsigned count = 0;
  unsigned expressions = 0;
  bool overflow = false;       ///< more atoms than any form has
  i64 value[max_atoms];        ///< a register's number, an immediate, an expression's index, a name's length
  const char* where[max_atoms];
  Value expr[2];

  void push(Atom atom, i64 v, const char* at) {
    if (count >= max_atoms) [[unlikely]] {
      overflow = true;
      return;
    }
    signature[count >> 3] |= u64(atom) << (8 * (count & 7));
    value[count] = v;
    where[count++] = at;
  }
  Atom atom(unsigned i) const { return Atom(signature[i >> 3] >> (8 * (i & 7)) & 0xFF); }
  /// Takes back the last ones.
  void truncate(unsigned to) {
    for (unsigned i = to; i < max_atoms; ++i) signature[i >> 3] &= ~(u64(0xFF) << (8 * (i & 7)));
    count = to;
  }
};

/// A register as it is written: `atom` is atom_low for all general ones.
struct Register {
  Atom atom = atom_none;
  u8 number = 0;
};

constexpr unsigned reg_sp = 13, reg_lr = 14, reg_pc = 15;

constexpr Atom general_atom(unsigned number) {
  return number < 8 ? atom_low : number == reg_sp ? atom_sp : number == reg_pc ? atom_pc : atom_high;
}

/// Reads the register at p (no blanks before it), p moved behind it; false, p unmoved, if there is none.
bool read_register(const char*& p, Register& r);

/// Registers as `.req` and Target::parse_register number them.
constexpr int register_number(Register r) { return r.atom << 8 | r.number; }
constexpr Register register_of(int number) { return {Atom(number >> 8), u8(number & 0xFF)}; }

}  // namespace xas::arm
