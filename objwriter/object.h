// SPDX-License-Identifier: Apache-2.0
// The neutral object model: what an object file contains, for whoever makes it (the assembler, or the object builder
// of the public API) and whoever writes it (elf, coff). No text, no instruction set, no layout: sizes are final.
//
// Everything here is borrowed: names, contents and relocations belong to the producer and must live until the writer
// has returned. Sections and symbols are referred to by their index in `Object`.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "objwriter/big_memory.h"
#include "objwriter/threads.h"
#include "xas/types.hpp"

namespace xas::obj {

inline constexpr u32 none = ~u32(0);

/// Bytes of a file that another thread is worth starting for: half a millisecond's work, of which most is to touch the
/// memory first.
inline constexpr u64 write_share = u64(1) << 20;

/// Where a symbol is, when it is not in a section of the object.
enum SpecialSection : u32 {
  section_undefined = ~u32(0),
  section_absolute = ~u32(0) - 1,
  section_common = ~u32(0) - 2,
  section_large_common = ~u32(0) - 3,  ///< SHN_X86_64_LCOMMON
  section_debug = ~u32(0) - 4,         ///< IMAGE_SYM_DEBUG
  section_first_group = 0x80000000,    ///< + g: "in" the header of group g, where both GNU as and llvm-mc put a
                                       ///< signature symbol that is defined nowhere else
};

struct Reloc {
  u64 offset;  ///< from the start of the section
  u32 symbol;  ///< index into Object::symbols, or `none` for a relocation against nothing
  u32 type;    ///< the format's number for this machine
  i64 addend;  ///< written in RELA sections only; for REL it is in the contents already
};

/// A section's bytes, asked for once, when the writer knows where they go; of several sections at a time, where
/// Object::threads allows.
struct Contents {
  const u8* data = nullptr;  ///< the bytes, if they exist already
  void (*write)(const void* producer, u32 id, u8* out) = nullptr;  ///< else: writes exactly Section::size bytes
  const void* producer = nullptr;
  u32 id = 0;
};

struct Section {
  std::string_view name;
  u32 type = 0;       ///< SHT_*; COFF: unused
  u64 flags = 0;      ///< SHF_*; COFF: IMAGE_SCN_*, without the alignment
  u64 size = 0;       ///< bytes, also of sections without contents (SHT_NOBITS)
  u64 align = 1;      ///< bytes, a power of two
  u64 file_align = 0;  ///< where it stands in the file, if not by `align` (llvm-mc leaves compressed sections where the
                       ///< uncompressed ones would start)
  u64 entsize = 0;
  u32 link_section = none;  ///< SHF_LINK_ORDER's or an associative COMDAT's section (index into Object::sections)
  bool link_to_symtab = false;  ///< without one, it is the symbol table (SHT_LLVM_CALL_GRAPH_PROFILE, SHT_REL, ...)
  bool after_relocs = false;    ///< llvm-mc makes .llvm_addrsig last: its bytes go behind the relocations
  bool omitted = false;         ///< it only keeps a place in Object::sections; nothing of it is in the file
  u32 info_section = none;      ///< a section that sh_info names (index into Object::sections); sets SHF_INFO_LINK
  u32 info = 0;             ///< sh_info of sections that are not relocation sections
  u32 group = none;         ///< index into Object::groups; sets SHF_GROUP
  u8 selection = 0;         ///< COFF: IMAGE_COMDAT_SELECT_*
  u64 defined_size = ~u64(0);  ///< COFF: size in the section definition, if not `size` (GNU as: without final padding)
  u32 asked_relocs = 0;        ///< COFF: of .reloc, which GNU as does not count in the section definition
  Contents contents;
  std::span<const Reloc> relocs;  ///< sorted as they are to be written
};

/// A COMDAT or plain section group (ELF SHT_GROUP). Its members are the sections that name it, and their relocation
/// sections; a group that no section names is not written.
struct Group {
  u32 signature = none;  ///< index into Object::symbols
  bool comdat = true;
};

struct Symbol {
  std::string_view name;  ///< empty for section symbols
  u64 value = 0;  ///< offset in its section; absolute value; alignment of a common symbol; ELF32 keeps the low half
  u64 size = 0;
  u32 section = section_undefined;
  u8 binding = 0;  ///< STB_*
  u8 type = 0;     ///< STT_*
  u8 other = 0;    ///< st_other: STV_* and target bits
};

/// A symbol of a COFF object. Symbols are written in their order; what they refer to is counted in symbols, the writer
/// counts the auxiliary records in.
struct CoffSymbol {
  enum class Aux : u8 {
    none,
    section,  ///< the definition of the symbol's section
    file,     ///< `text` is a file name
    weak,     ///< a weak external: `tag` and `search`
    raw,      ///< `text` is the records, each of 18 bytes
  };
  std::string_view name;
  u64 value = 0;
  u32 section = section_undefined;  ///< index into Object::sections, section_absolute or section_debug
  u16 type = 0;                     ///< IMAGE_SYM_TYPE_* and IMAGE_SYM_DTYPE_*
  u8 storage_class = 0;             ///< IMAGE_SYM_CLASS_*
  Aux aux = Aux::none;
  u32 tag = none;                   ///< index into Object::coff_symbols
  u32 search = 0;                   ///< IMAGE_WEAK_EXTERN_*
  std::string_view text;
};

/// The choices that the ELF specification leaves open: where the writer puts what it makes itself. Each field is
/// something in which GNU as and llvm-mc differ.
struct ElfStyle {
  bool groups_first = true;         ///< headers and contents of groups before all sections; else each header before its
                                    ///< group's first member, and the contents behind those of all sections
  bool one_string_table = false;    ///< section names share .strtab, which is the first section; else .shstrtab, last
  bool sorted_strings = false;      ///< string tables sorted by tail; else in order of sections and symbols
  bool relocs_after_strtab = true;  ///< contents of relocation sections follow those of .strtab, else of .symtab
  bool info_link_in_groups = true;  ///< SHF_INFO_LINK on relocation sections that are in a group
  bool always_symtab = false;       ///< also when there are neither symbols nor relocations
  bool shndx_by_count = true;       ///< .symtab_shndx as soon as .symtab or .strtab is number 65,279 or more; else as
                                    ///< soon as a symbol is in such a section
  bool array_entsize = true;        ///< sh_entsize of SHT_INIT_ARRAY and its kin is a pointer's size if not given
  bool crel = false;                ///< SHT_CREL relocation sections
};
inline constexpr ElfStyle gnu_elf_style = {};
inline constexpr ElfStyle llvm_elf_style = {.groups_first = false,
                                            .one_string_table = true,
                                            .sorted_strings = true,
                                            .relocs_after_strtab = false,
                                            .info_link_in_groups = false,
                                            .always_symtab = true,
                                            .shndx_by_count = false,
                                            .array_entsize = false};

/// The same for COFF.
struct CoffStyle {
  bool relocs_after_contents = true;   ///< relocations behind the contents of all sections; else behind their section's
  bool pointer_if_empty = false;       ///< PointerToRawData of empty sections is their place in the file, else 0
  bool associative_last = false;       ///< headers of associative COMDAT sections after all others
  bool checksums = false;              ///< section definitions have the contents' CRC
  bool own_numbers = false;            ///< section definitions have their section's number, if they have no other's
  bool saturated_counts = false;       ///< NumberOfRelocations of section definitions stops at 0xffff, else wraps
  bool counts_asked_relocs = false;    ///< and is with Section::asked_relocs
  bool sorted_strings = false;         ///< string table sorted by tail, tails shared; else in order of use
  bool long_files_in_strings = true;   ///< file names beyond one record in the string table; else in more records
  bool cuts_file_names = true;         ///< those of 15 to 18 bytes lose their end
  bool class_in_big_aux = true;        ///< auxiliary records of a bigobj, but file names, end in their symbol's storage
                                       ///< class and number of records
  bool flag_no_relocs = true;          ///< IMAGE_FILE_RELOCS_STRIPPED if there are no relocations
  bool big_obj = false;                ///< bigobj also if it is not necessary
};
inline constexpr CoffStyle gnu_coff_style = {};
inline constexpr CoffStyle llvm_coff_style = {.relocs_after_contents = false,
                                              .pointer_if_empty = true,
                                              .associative_last = true,
                                              .checksums = true,
                                              .own_numbers = true,
                                              .saturated_counts = true,
                                              .counts_asked_relocs = true,
                                              .sorted_strings = true,
                                              .long_files_in_strings = false,
                                              .cuts_file_names = false,
                                              .class_in_big_aux = false,
                                              .flag_no_relocs = false};

struct Object {
  // The file's header. COFF: machine, flags (IMAGE_FILE_*), time_stamp
  bool elf64 = true;
  bool big_endian = false;
  bool rela = true;
  u16 machine = 0;
  u32 flags = 0;
  u8 os_abi = 0;
  u8 abi_version = 0;
  u32 time_stamp = 0;
  ElfStyle elf;
  CoffStyle coff;
  Threads threads;  ///< that may write it

  BigVector<Section> sections;    ///< in the order of their headers
  std::vector<Group> groups;
  BigVector<Symbol> symbols;      ///< local ones first, without the null symbol
  u32 local_symbols = 0;          ///< how many of them are local
  BigVector<CoffSymbol> coff_symbols;  ///< instead, for COFF; relocations refer to these then
};

/// A file that could not be written: what and why ("section .data has 5000000000 bytes; ELF32 sections hold
/// 4294967295").
struct WriteError {
  std::string message;
};

}  // namespace xas::obj
