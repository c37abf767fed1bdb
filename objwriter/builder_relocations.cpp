// SPDX-License-Identifier: Apache-2.0
// Which relocations a machine has: what others are given by mistake is refused, not written.
//
// Sources: the psABIs of x86-64 and i386, AAELF32 and AAELF64, the PE/COFF specification ("Type Indicators").
#include <algorithm>
#include <span>

#include "objwriter/builder_impl.h"
#include "objwriter/coff_constants.h"

namespace xas::object {

namespace {

/// Relocations from `first` to `last`.
struct Range {
  u32 first, last;
};

constexpr Range elf_x86_64[] = {{0, 51}, {250, 251}};
constexpr Range elf_i386[] = {{0, 11}, {14, 43}, {250, 251}};
constexpr Range elf_aarch64[] = {{0, 0},     {256, 280}, {282, 293},   {299, 317},
                                 {512, 573}, {580, 597}, {1024, 1032}, {1041, 1044}};
constexpr Range elf_arm[] = {{0, 138}, {160, 168}, {249, 255}};
constexpr Range coff_amd64[] = {{0, 0x10}};
constexpr Range coff_i386[] = {{0, 2}, {6, 7}, {9, 0xD}, {0x14, 0x14}};
constexpr Range coff_arm[] = {{0, 5}, {0xA, 0xA}, {0xE, 0x12}, {0x14, 0x16}};
constexpr Range coff_arm64[] = {{0, 0x11}};

std::span<const Range> elf_ranges(u16 machine) {
  switch (machine) {
    case elf::EM_X86_64: return elf_x86_64;
    case elf::EM_386: return elf_i386;
    case elf::EM_AARCH64: return elf_aarch64;
    case elf::EM_ARM: return elf_arm;
  }
  return {};
}

std::span<const Range> coff_ranges(u16 machine) {
  switch (machine) {
    case coff::IMAGE_FILE_MACHINE_AMD64: return coff_amd64;
    case coff::IMAGE_FILE_MACHINE_I386: return coff_i386;
    case coff::IMAGE_FILE_MACHINE_ARMNT: return coff_arm;
    case coff::IMAGE_FILE_MACHINE_ARM64: return coff_arm64;
  }
  return {};
}

}  // namespace

bool has_relocation(Format format, u16 machine, u32 type) {
  const auto ranges = format == Format::coff ? coff_ranges(machine) : elf_ranges(machine);
  return std::ranges::any_of(ranges, [type](const Range& r) { return r.first <= type && type <= r.last; });
}

}  // namespace xas::object
