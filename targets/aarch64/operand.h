// The operands of one statement as the parser leaves them: a signature of atoms (row.h) and a value beside each.
#pragma once

#include "targets/aarch64/row.h"
#include "targets/target.h"

namespace xas::aarch64 {

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
};

/// A register as it is written.
struct Register {
  Atom atom = atom_none;
  u8 number = 0;
};

/// Reads the register at p (no blanks before it), p moved behind it; false, p unmoved, if there is none.
bool read_register(const char*& p, Register& r);

/// Registers as `.req` and Target::parse_register number them.
constexpr int register_number(Register r) { return r.atom << 8 | r.number; }
constexpr Register register_of(int number) { return {Atom(number >> 8), u8(number & 0xFF)}; }

}  // namespace xas::aarch64
