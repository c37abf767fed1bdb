// SPDX-License-Identifier: Apache-2.0
// Constants of the PE/COFF specification, under the names that they have there. Relocation numbers are the targets'
// (targets/*). Source: Microsoft, "PE Format", sections "COFF File Header" to "COFF String Table".
#pragma once

#include "xas/types.hpp"

namespace xas::coff {

// Machines
enum : u16 {
  IMAGE_FILE_MACHINE_UNKNOWN = 0,
  IMAGE_FILE_MACHINE_I386 = 0x14c,
  IMAGE_FILE_MACHINE_ARMNT = 0x1c4,
  IMAGE_FILE_MACHINE_AMD64 = 0x8664,
  IMAGE_FILE_MACHINE_ARM64EC = 0xa641,
  IMAGE_FILE_MACHINE_ARM64 = 0xaa64,
};

// Characteristics of the file
enum : u16 {
  IMAGE_FILE_RELOCS_STRIPPED = 0x1,
  IMAGE_FILE_LINE_NUMS_STRIPPED = 0x4,
  IMAGE_FILE_32BIT_MACHINE = 0x100,
};

// Section numbers of symbols that are in no section
enum : i32 {
  IMAGE_SYM_UNDEFINED = 0,
  IMAGE_SYM_ABSOLUTE = -1,
  IMAGE_SYM_DEBUG = -2,
};

// Section flags
enum : u32 {
  IMAGE_SCN_TYPE_NO_PAD = 0x8,
  IMAGE_SCN_CNT_CODE = 0x20,
  IMAGE_SCN_CNT_INITIALIZED_DATA = 0x40,
  IMAGE_SCN_CNT_UNINITIALIZED_DATA = 0x80,
  IMAGE_SCN_LNK_OTHER = 0x100,
  IMAGE_SCN_LNK_INFO = 0x200,
  IMAGE_SCN_LNK_REMOVE = 0x800,
  IMAGE_SCN_LNK_COMDAT = 0x1000,
  IMAGE_SCN_GPREL = 0x8000,
  IMAGE_SCN_MEM_16BIT = 0x20000,
  IMAGE_SCN_ALIGN_MASK = 0xf00000,  ///< log2 of the alignment, plus one
  IMAGE_SCN_LNK_NRELOC_OVFL = 0x1000000,
  IMAGE_SCN_MEM_DISCARDABLE = 0x2000000,
  IMAGE_SCN_MEM_NOT_CACHED = 0x4000000,
  IMAGE_SCN_MEM_NOT_PAGED = 0x8000000,
  IMAGE_SCN_MEM_SHARED = 0x10000000,
  IMAGE_SCN_MEM_EXECUTE = 0x20000000,
  IMAGE_SCN_MEM_READ = 0x40000000,
  IMAGE_SCN_MEM_WRITE = 0x80000000,
};
inline constexpr unsigned IMAGE_SCN_ALIGN_SHIFT = 20;
/// Of a section's alignment: IMAGE_SCN_ALIGN_8192BYTES.
inline constexpr unsigned largest_log2_alignment = 13, largest_alignment = 1u << largest_log2_alignment;

// COMDAT selection
enum : u8 {
  IMAGE_COMDAT_SELECT_NODUPLICATES = 1,
  IMAGE_COMDAT_SELECT_ANY = 2,
  IMAGE_COMDAT_SELECT_SAME_SIZE = 3,
  IMAGE_COMDAT_SELECT_EXACT_MATCH = 4,
  IMAGE_COMDAT_SELECT_ASSOCIATIVE = 5,
  IMAGE_COMDAT_SELECT_LARGEST = 6,
  IMAGE_COMDAT_SELECT_NEWEST = 7,
};

// Storage classes
enum : u8 {
  IMAGE_SYM_CLASS_NULL = 0,
  IMAGE_SYM_CLASS_EXTERNAL = 2,
  IMAGE_SYM_CLASS_STATIC = 3,
  IMAGE_SYM_CLASS_LABEL = 6,
  IMAGE_SYM_CLASS_FUNCTION = 101,
  IMAGE_SYM_CLASS_FILE = 103,
  IMAGE_SYM_CLASS_SECTION = 104,
  IMAGE_SYM_CLASS_WEAK_EXTERNAL = 105,
};

enum : u16 { IMAGE_SYM_DTYPE_FUNCTION = 2 << 4 };
/// Whether a symbol's type says that it is a function.
constexpr bool is_function_type(u16 type) { return (type & 0x30) == IMAGE_SYM_DTYPE_FUNCTION; }

// What a linker does with an undefined weak external
enum : u32 {
  IMAGE_WEAK_EXTERN_SEARCH_NOLIBRARY = 1,
  IMAGE_WEAK_EXTERN_SEARCH_LIBRARY = 2,
  IMAGE_WEAK_EXTERN_SEARCH_ALIAS = 3,
  IMAGE_WEAK_EXTERN_ANTI_DEPENDENCY = 4,
};

/// The last section number of regular objects; beyond, the file is a bigobj.
inline constexpr u32 max_section_number_16 = 0xfeff;

}  // namespace xas::coff
