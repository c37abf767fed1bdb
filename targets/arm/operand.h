// SPDX-License-Identifier: Apache-2.0
// The operands of one statement as the parser leaves them: a signature of atoms (row.h) and a value beside each.
#pragma once

#include "targets/arm/row.h"
#include "targets/atoms.h"

namespace xas::arm {

using Operands = atoms::Operands<Atom>;

/// A register as it is written: `atom` is atom_low for all general ones.
using Register = atoms::Register<Atom>;

constexpr unsigned reg_sp = 13, reg_lr = 14, reg_pc = 15;

constexpr Atom general_atom(unsigned number) {
  return number < 8 ? atom_low : number == reg_sp ? atom_sp : number == reg_pc ? atom_pc : atom_high;
}

inline void push(Operands& o, const Register& r, const char* at) {
  o.push(r.atom == atom_low ? general_atom(r.number) : r.atom, r.number, at);
}

/// Reads the register at p (no blanks before it), p moved behind it; false, p unmoved, if there is none.
bool read_register(const char*& p, Register& r);

}  // namespace xas::arm
