// SPDX-License-Identifier: Apache-2.0
// Constants of the ELF specification and of its GNU, LLVM and processor supplements, under the names that they have
// there. Relocation numbers are the targets' (targets/*).
//
// Sources: System V gABI 4.2 draft; the x86-64, i386, ARM and AArch64 psABIs; LLVM Extensions. That last document
// gives SHT_LLVM_CALL_GRAPH_PROFILE the number 0x6fff4c02 of its first, incompatible layout; what llvm-mc writes and
// lld reads is 0x6fff4c09.
#pragma once

#include "xas/types.hpp"

namespace xas::elf {

enum : u8 {
  ELFCLASS32 = 1,
  ELFCLASS64 = 2,

  ELFDATA2LSB = 1,
  ELFDATA2MSB = 2,

  EV_CURRENT = 1,

  ELFOSABI_NONE = 0,
  ELFOSABI_GNU = 3,
  ELFOSABI_SOLARIS = 6,
  ELFOSABI_FREEBSD = 9,
  ELFOSABI_ARM_AEABI = 64,
  ELFOSABI_ARM_FDPIC = 65,
  ELFOSABI_ARM = 97,
  ELFOSABI_STANDALONE = 255,
};

enum : u16 {
  ET_REL = 1,

  EM_NONE = 0,
  EM_386 = 3,
  EM_IAMCU = 6,
  EM_ARM = 40,
  EM_X86_64 = 62,
  EM_AARCH64 = 183,
};

enum : u32 {
  // Before there was an EABI, which gave the low bits other meanings
  EF_ARM_INTERWORK = 0x4,
  EF_ARM_APCS_26 = 0x8,
  EF_ARM_APCS_FLOAT = 0x10,
  EF_ARM_PIC = 0x20,
  EF_ARM_SOFT_FLOAT = 0x200,
  EF_ARM_VFP_FLOAT = 0x400,
  EF_ARM_MAVERICK_FLOAT = 0x800,

  EF_ARM_BE8 = 0x00800000,
  EF_ARM_EABI_VER4 = 0x04000000,
  EF_ARM_EABI_VER5 = 0x05000000,
};

// Section indices
enum : u32 {
  SHN_UNDEF = 0,
  SHN_LORESERVE = 0xff00,
  SHN_X86_64_LCOMMON = 0xff02,
  SHN_ABS = 0xfff1,
  SHN_COMMON = 0xfff2,
  SHN_XINDEX = 0xffff,
};

// Section types
enum : u32 {
  SHT_NULL = 0,
  SHT_PROGBITS = 1,
  SHT_SYMTAB = 2,
  SHT_STRTAB = 3,
  SHT_RELA = 4,
  SHT_HASH = 5,
  SHT_DYNAMIC = 6,
  SHT_NOTE = 7,
  SHT_NOBITS = 8,
  SHT_REL = 9,
  SHT_SHLIB = 10,
  SHT_DYNSYM = 11,
  SHT_INIT_ARRAY = 14,
  SHT_FINI_ARRAY = 15,
  SHT_PREINIT_ARRAY = 16,
  SHT_GROUP = 17,
  SHT_SYMTAB_SHNDX = 18,
  SHT_RELR = 19,
  SHT_CREL = 0x40000014,

  SHT_ANDROID_REL = 0x60000001,
  SHT_ANDROID_RELA = 0x60000002,
  SHT_ANDROID_RELR = 0x6fffff00,

  SHT_LLVM_ODRTAB = 0x6fff4c00,
  SHT_LLVM_LINKER_OPTIONS = 0x6fff4c01,
  SHT_LLVM_ADDRSIG = 0x6fff4c03,
  SHT_LLVM_DEPENDENT_LIBRARIES = 0x6fff4c04,
  SHT_LLVM_SYMPART = 0x6fff4c05,
  SHT_LLVM_PART_EHDR = 0x6fff4c06,
  SHT_LLVM_PART_PHDR = 0x6fff4c07,
  SHT_LLVM_BB_ADDR_MAP_V0 = 0x6fff4c08,
  SHT_LLVM_CALL_GRAPH_PROFILE = 0x6fff4c09,
  SHT_LLVM_BB_ADDR_MAP = 0x6fff4c0a,
  SHT_LLVM_OFFLOADING = 0x6fff4c0b,
  SHT_LLVM_LTO = 0x6fff4c0c,
  SHT_LLVM_JT_SIZES = 0x6fff4c0d,
  SHT_LLVM_CFI_JUMP_TABLE = 0x6fff4c0e,
  SHT_LLVM_CALL_GRAPH = 0x6fff4c0f,

  SHT_GNU_SFRAME = 0x6ffffff4,
  SHT_GNU_ATTRIBUTES = 0x6ffffff5,
  SHT_GNU_HASH = 0x6ffffff6,
  SHT_GNU_LIBLIST = 0x6ffffff7,
  SHT_GNU_OBJECT_ONLY = 0x6ffffff9,
  SHT_GNU_verdef = 0x6ffffffd,
  SHT_GNU_verneed = 0x6ffffffe,
  SHT_GNU_versym = 0x6fffffff,

  SHT_X86_64_UNWIND = 0x70000001,
  SHT_ARM_EXIDX = 0x70000001,
  SHT_ARM_PREEMPTMAP = 0x70000002,
  SHT_ARM_ATTRIBUTES = 0x70000003,
  SHT_ARM_DEBUGOVERLAY = 0x70000004,
  SHT_ARM_OVERLAYSECTION = 0x70000005,
  SHT_AARCH64_ATTRIBUTES = 0x70000003,
  SHT_AARCH64_AUTH_RELR = 0x70000004,
  SHT_AARCH64_MEMTAG_GLOBALS_STATIC = 0x70000007,
  SHT_AARCH64_MEMTAG_GLOBALS_DYNAMIC = 0x70000008,
};

// Section flags
enum : u64 {
  SHF_WRITE = 0x1,
  SHF_ALLOC = 0x2,
  SHF_EXECINSTR = 0x4,
  SHF_MERGE = 0x10,
  SHF_STRINGS = 0x20,
  SHF_INFO_LINK = 0x40,
  SHF_LINK_ORDER = 0x80,
  SHF_OS_NONCONFORMING = 0x100,
  SHF_GROUP = 0x200,
  SHF_TLS = 0x400,
  SHF_COMPRESSED = 0x800,
  SHF_SUNW_NODISCARD = 0x100000,  ///< Solaris' SHF_GNU_RETAIN
  SHF_GNU_RETAIN = 0x200000,
  SHF_GNU_MBIND = 0x1000000,
  SHF_EXCLUDE = 0x80000000,
  SHF_X86_64_LARGE = 0x10000000,
  SHF_ARM_PURECODE = 0x20000000,
  SHF_AARCH64_PURECODE = 0x20000000,
};

// The first word of a section group
enum : u32 { GRP_COMDAT = 1 };

// ch_type of a compressed section
enum : u32 { ELFCOMPRESS_ZLIB = 1, ELFCOMPRESS_ZSTD = 2 };

// Symbol bindings, types and visibilities
enum : u8 {
  STB_LOCAL = 0,
  STB_GLOBAL = 1,
  STB_WEAK = 2,
  STB_GNU_UNIQUE = 10,

  STT_NOTYPE = 0,
  STT_OBJECT = 1,
  STT_FUNC = 2,
  STT_SECTION = 3,
  STT_FILE = 4,
  STT_COMMON = 5,
  STT_TLS = 6,
  STT_GNU_IFUNC = 10,

  STV_DEFAULT = 0,
  STV_INTERNAL = 1,
  STV_HIDDEN = 2,
  STV_PROTECTED = 3,

  STO_AARCH64_VARIANT_PCS = 0x80,
};

/// Whether a symbol's type, STT_*, is that of a function.
constexpr bool is_function(u32 type) { return type == STT_FUNC || type == STT_GNU_IFUNC; }

}  // namespace xas::elf
