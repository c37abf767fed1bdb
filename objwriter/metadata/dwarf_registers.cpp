// SPDX-License-Identifier: Apache-2.0
// Sources: System V psABI for AMD64 (figure 3.36) and for i386 (table 2.14); DWARF for the Arm 64-bit
// Architecture, 4.1; DWARF for the Arm Architecture, 3.1.
#include "objwriter/metadata/dwarf_registers.h"

#include <fmt/format.h>

#include <iterator>

#include "objwriter/coff_constants.h"
#include "objwriter/elf_constants.h"

namespace xas::dwarf {
namespace {

/// Numbers from `first` on are registers with one name and a number behind it, from `number`.
struct Row {
  unsigned first, count;
  const char* name;  ///< "{}" stands for the number
  unsigned number;
  u16 size;
};

constexpr const char* names_64[] = {"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp"};
constexpr Row rows_64[] = {{8, 8, "%r{}", 8, 8},      {16, 1, "%rip", 0, 8},  {17, 16, "%xmm{}", 0, 16},
                           {33, 8, "%st({})", 0, 10}, {41, 8, "%mm{}", 0, 8}, {67, 16, "%xmm{}", 16, 16},
                           {118, 8, "%k{}", 0, 8}};

constexpr const char* names_32[] = {"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"};
constexpr Row rows_32[] = {{8, 1, "%eip", 0, 4},
                           {11, 8, "%st({})", 0, 10},
                           {21, 8, "%xmm{}", 0, 16},
                           {29, 8, "%mm{}", 0, 8},
                           {93, 8, "%k{}", 0, 8}};

constexpr Row rows_a64[] = {{0, 31, "x{}", 0, 8},   {31, 1, "sp", 0, 8},  {34, 1, "ra_sign_state", 0, 0},
                            {46, 1, "vg", 0, 8},    {47, 1, "ffr", 0, 0}, {48, 16, "p{}", 0, 0},
                            {64, 32, "q{}", 0, 16}, {96, 32, "z{}", 0, 0}};

constexpr Row rows_arm[] = {{0, 13, "r{}", 0, 4}, {13, 1, "sp", 0, 4},   {14, 1, "lr", 0, 4},
                            {15, 1, "pc", 0, 4},  {64, 32, "s{}", 0, 4}, {256, 32, "d{}", 0, 8}};

template <std::size_t N>
Register find(const Row (&rows)[N], unsigned number) {
  for (const Row& row : rows) {
    if (number - row.first >= row.count) continue;
    const unsigned shown = row.number + (number - row.first);
    return {fmt::format(fmt::runtime(row.name), shown), row.size};
  }
  return {};
}

}  // namespace

Machine machine_of(u16 number, bool is_elf) {
  if (is_elf) {
    switch (number) {
      case elf::EM_X86_64: return Machine::x86_64;
      case elf::EM_386:
      case elf::EM_IAMCU: return Machine::i386;
      case elf::EM_AARCH64: return Machine::aarch64;
      case elf::EM_ARM: return Machine::arm;
      default: return Machine::unknown;
    }
  }
  switch (number) {
    case coff::IMAGE_FILE_MACHINE_AMD64: return Machine::x86_64;
    case coff::IMAGE_FILE_MACHINE_I386: return Machine::i386;
    case coff::IMAGE_FILE_MACHINE_ARM64:
    case coff::IMAGE_FILE_MACHINE_ARM64EC: return Machine::aarch64;
    case coff::IMAGE_FILE_MACHINE_ARMNT: return Machine::arm;
    default: return Machine::unknown;
  }
}

Register register_of(Machine machine, unsigned number) {
  switch (machine) {
    case Machine::x86_64:
      if (number < std::size(names_64)) return {fmt::format("%{}", names_64[number]), 8};
      return find(rows_64, number);
    case Machine::i386:
      if (number < std::size(names_32)) return {fmt::format("%{}", names_32[number]), 4};
      return find(rows_32, number);
    case Machine::aarch64: return find(rows_a64, number);
    case Machine::arm: return find(rows_arm, number);
    case Machine::unknown: break;
  }
  return {};
}

unsigned pointer_size(Machine machine) { return machine == Machine::i386 || machine == Machine::arm ? 4 : 8; }

}  // namespace xas::dwarf
