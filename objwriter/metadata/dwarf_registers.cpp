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
constexpr Row rows_64[] = {{8, 8, "%r{}", 8, 8},       {16, 1, "%rip", 0, 8},      {17, 16, "%xmm{}", 0, 16},
                           {33, 8, "%st({})", 0, 10},  {41, 8, "%mm{}", 0, 8},     {49, 1, "%rflags", 0, 8},
                           {50, 1, "%es", 0, 2},       {51, 1, "%cs", 0, 2},       {52, 1, "%ss", 0, 2},
                           {53, 1, "%ds", 0, 2},       {54, 1, "%fs", 0, 2},       {55, 1, "%gs", 0, 2},
                           {58, 1, "%fs.base", 0, 8},  {59, 1, "%gs.base", 0, 8},  {62, 1, "%tr", 0, 8},
                           {63, 1, "%ldtr", 0, 8},     {64, 1, "%mxcsr", 0, 8},    {65, 1, "%fcw", 0, 8},
                           {66, 1, "%fsw", 0, 8},      {67, 16, "%xmm{}", 16, 16}, {118, 8, "%k{}", 0, 8},
                           {126, 4, "%bnd{}", 0, 16},  {130, 16, "%r{}", 16, 8}};

constexpr const char* names_32[] = {"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"};
constexpr Row rows_32[] = {{8, 1, "%eip", 0, 4},    {9, 1, "%eflags", 0, 4}, {11, 8, "%st({})", 0, 10},
                           {21, 8, "%xmm{}", 0, 16}, {29, 8, "%mm{}", 0, 8},  {37, 1, "%fcw", 0, 4},
                           {38, 1, "%fsw", 0, 4},    {39, 1, "%mxcsr", 0, 4}, {40, 1, "%es", 0, 2},
                           {41, 1, "%cs", 0, 2},     {42, 1, "%ss", 0, 2},    {43, 1, "%ds", 0, 2},
                           {44, 1, "%fs", 0, 2},     {45, 1, "%gs", 0, 2},    {48, 1, "%tr", 0, 4},
                           {49, 1, "%ldtr", 0, 4},   {93, 8, "%k{}", 0, 8},   {101, 4, "%bnd{}", 0, 16}};

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
