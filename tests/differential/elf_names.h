// SPDX-License-Identifier: Apache-2.0
// Names of what an ELF file has numbers for, as readelf prints them.
#pragma once

#include <cstdint>
#include <string>

namespace diff {

/// "R_X86_64_PLT32" and the like; the number for those of machines that are not named here.
std::string reloc_name(std::uint16_t machine, std::uint32_t type);

/// "PROGBITS", "NOTE", ...
std::string section_type_name(std::uint32_t type);

/// "WA", "AX", ... as readelf prints them.
std::string section_flags_name(std::uint64_t flags);

}  // namespace diff
