// SPDX-License-Identifier: Apache-2.0
// The operands of one statement as the parser leaves them: a signature of atoms (row.h) and a value beside each.
#pragma once

#include "targets/aarch64/row.h"
#include "targets/atoms.h"

namespace xas::aarch64 {

using Operands = atoms::Operands<Atom>;

/// A register as it is written.
using Register = atoms::Register<Atom>;

/// Reads the register at p (no blanks before it), p moved behind it; false, p unmoved, if there is none.
bool read_register(const char*& p, Register& r);

/// Where a statement ends: the line, a separator, a comment.
inline bool at_end(const char* p) { return *p == '\n' || *p == '\0' || *p == ';' || (*p == '/' && p[1] == '/'); }

/// v0.2d[1] is v0.d[1]: GNU as does not look at how many elements there are.
inline Atom element_of(Atom arrangement) {
  switch (arrangement) {
    case atom_v_8b:
    case atom_v_16b: return atom_v_b;
    case atom_v_4h:
    case atom_v_8h: return atom_v_h;
    case atom_v_2s:
    case atom_v_4s: return atom_v_s;
    default: return atom_v_d;
  }
}

}  // namespace xas::aarch64
