// SPDX-License-Identifier: Apache-2.0
// Registers by their DWARF number, for whoever shows them: the psABIs of x86-64, i386 and the Arm architectures.
#pragma once

#include <string>

#include "xas/types.hpp"

namespace xas::dwarf {

enum class Machine : u8 { unknown, x86_64, i386, aarch64, arm };

/// The machine of an object's e_machine, or of COFF's.
Machine machine_of(u16 number, bool is_elf);

struct Register {
  std::string name;  ///< as the assembler takes it ("%rax", "x0"); empty for a number without a register
  u16 size = 0;      ///< of what the name stands for, in bytes; 0 if it is not fixed
};
Register register_of(Machine machine, unsigned number);

/// A pointer's size.
unsigned pointer_size(Machine machine);

}  // namespace xas::dwarf
