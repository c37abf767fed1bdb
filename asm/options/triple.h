// SPDX-License-Identifier: Apache-2.0
// Target names: `x86_64-pc-linux-gnu` and its many spellings, taken apart.
#pragma once

#include <string>
#include <string_view>

#include "targets/target.h"

namespace xas {

/// What a triple says about the object to make.
struct Triple {
  Machine machine = Machine::unknown;
  unsigned bits = 64;  ///< x86: 16, 32 or 64
  bool x32 = false;    ///< addresses of 32 bits: x32, ILP32
  bool big_endian = false;
  bool thumb = false;  ///< ARM: starts in Thumb
  ObjectFormat format = ObjectFormat::elf;
  bool arm64ec = false;      ///< ARM64 code that calls, and is called by, x86-64 code (COFF)
  bool lfi = false;          ///< Lightweight Fault Isolation: code is rewritten while it is read (ELF)
  bool mcu = false;          ///< Intel MCU, whose objects have a machine of their own (ELF)
  bool msvc = false;         ///< COFF: Microsoft's environment, not GNU's or another
  bool associative_tables = false;  ///< COFF: unwind tables of a COMDAT function are associated with it
  u8 os_abi = 0;             ///< ELF: EI_OSABI of all objects for this system
  bool known_format = true;  ///< false: Mach-O, wasm and others that are not written here
  std::string architecture;  ///< "x86_64", "i386", ...
  std::string sub_architecture;  ///< ARM: as it was written, "thumbv7"
};

/// Reads a triple, or an architecture's name alone. `machine` stays unknown if no target answers to it.
Triple parse_triple(std::string_view text);

/// The triple in front of a tool's name, as in `aarch64-linux-gnu-as`; empty if there is none. `program` may have
/// folders in front, and a version (`-2.40`) or `.exe` behind.
std::string_view triple_of_program(std::string_view program);

/// A program's name without folders and `.exe`.
std::string_view base_name(std::string_view program);

}  // namespace xas
