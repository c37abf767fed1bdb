// SPDX-License-Identifier: Apache-2.0
// Reading objects and linked images: ELF of both classes and byte orders, COFF, bigobj, PE.
//
// Everything borrows from the file's bytes, which must outlive it. Headers, symbols and groups are read at once,
// relocations when they are asked for. Sections and symbols keep the file's own numbers, so that `sections[n]` is
// section n; what the file does not number from 0 has an empty entry there.
//
// A file may be hostile. Nothing beyond its end is read, counts are tested before memory is taken, and sections that
// share bytes of the file may not do so often enough to make the work more than linear.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "objwriter/read/bytes.h"

namespace xas::read {

enum class FileKind : u8 {
  unknown,
  elf,
  coff,
  bigobj,
  pe,
  import_object,  ///< a member of an import library: names of a DLL's function, no sections
  archive,
  thin_archive,
  bitcode,  ///< a bitstream with LLVM's magic
  bitcode_wrapper,
};

/// What a file's first bytes say that it is.
FileKind identify(std::span<const u8> bytes);

/// "an ELF file", ...
std::string_view kind_name(FileKind kind);

inline constexpr u32 none = ~u32(0);

struct Reloc {
  u64 offset = 0;  ///< from the start of its section; in linked ELF images an address
  u32 symbol = 0;  ///< index in Object::symbols (Object::dynamic_symbols for dynamic ones); ELF: 0 is none
  u32 type = 0;
  i64 addend = 0;  ///< 0 where the contents have it (SHT_REL, COFF)
};

struct Section {
  std::string_view name;
  u32 index = 0;
  u32 type = 0;     ///< SHT_*; COFF: 0
  u64 flags = 0;    ///< SHF_*; COFF: IMAGE_SCN_*
  u64 address = 0;  ///< PE: with the image base
  u64 offset = 0;   ///< of the contents in the file
  u64 size = 0;
  u32 link = 0;
  u32 info = 0;
  u64 align = 0;
  u64 entsize = 0;
  std::span<const u8> data;  ///< empty if there are no contents in the file
  u64 header = 0;            ///< offset of the section's header in the file

  u32 group = 0;              ///< ELF: the SHT_GROUP section that this one is in, or 0
  u32 first_relocations = 0;  ///< ELF: the first relocation section for this one, or 0
  u32 next_relocations = 0;   ///< ELF: of a relocation section: the next one for the same section, or 0
  u64 relocs_offset = 0;      ///< COFF: of the relocations in the file
  u32 relocs_count = 0;
  u8 selection = 0;          ///< COFF: IMAGE_COMDAT_SELECT_*, or 0
  u32 comdat_symbol = none;  ///< COFF: the symbol that the COMDAT is chosen by
  u32 associated = 0;        ///< COFF: the section that an associative one goes with
};

struct Symbol {
  std::string_view name;
  u64 value = 0;
  u64 size = 0;
  u32 section = 0;       ///< ELF: the extended index, if there is one; 0 is undefined
  bool special = false;  ///< `section` is no section: SHN_ABS, SHN_COMMON, ...; COFF: -1 and -2
  u8 binding = 0;        ///< ELF: STB_*
  u16 type = 0;          ///< ELF: STT_*; COFF: IMAGE_SYM_TYPE_* and _DTYPE_*
  u8 other = 0;          ///< ELF: st_other
  u8 storage_class = 0;  ///< COFF
  u8 aux_count = 0;      ///< COFF: the auxiliary records, which are the next entries
  bool auxiliary = false;
};

struct Group {
  u32 section = 0;
  u32 flags = 0;
  std::string_view signature;
  std::vector<u32> members;
};

class Object {
 public:
  FileKind kind = FileKind::unknown;
  bool is_64 = true;
  bool big_endian = false;
  bool linked = false;  ///< an executable, a shared object or an image: addresses are final
  u8 os_abi = 0;
  u8 abi_version = 0;
  u16 type = 0;     ///< e_type
  u16 machine = 0;  ///< e_machine, IMAGE_FILE_MACHINE_*
  u32 flags = 0;    ///< e_flags; COFF: the characteristics
  u32 time_stamp = 0;
  u64 image_base = 0;
  u64 section_headers = 0;  ///< file offset
  u32 first_global = 0;     ///< ELF: sh_info of the symbol table
  std::vector<Section> sections;
  std::vector<Symbol> symbols;
  std::vector<Symbol> dynamic_symbols;  ///< ELF: of .dynsym
  std::vector<Group> groups;

  bool is_elf() const { return kind == FileKind::elf; }
  bool is_coff() const { return !is_elf(); }
  const Bytes& bytes() const { return bytes_; }

  /// Adds the relocations for `section`, in the order of the file. In a linked ELF image these are what a linker has
  /// kept by --emit-relocs. False, with `error`, if they cannot be read.
  bool relocations(const Section& section, std::vector<Reloc>& relocs, Error& error) const;

  /// Adds the entries of one relocation section of an ELF file (SHT_REL, SHT_RELA, SHT_CREL).
  bool relocation_section(const Section& section, std::vector<Reloc>& relocs, Error& error) const;

  /// COFF: the auxiliary records behind symbol `index`.
  std::span<const u8> auxiliary(u32 index) const;

  /// Section `index`, or nothing.
  const Section* section(u32 index) const { return index != 0 && index < sections.size() ? &sections[index] : nullptr; }

 private:
  friend bool read_object(std::span<const u8> bytes, Object& object, Error& error);
  bool read_elf(Error& error);
  bool read_coff(Error& error);
  template <typename F>
  bool read_elf_as(Error& error);
  template <typename F>
  bool read_elf_sections(Error& error);
  template <typename F>
  bool read_elf_symbols(u32 type, std::vector<Symbol>& symbols, Error& error);
  bool link_elf_relocations(Error& error);
  template <typename F>
  bool read_elf_groups(Error& error);
  template <typename F>
  bool elf_relocation_section(const Section& section, std::vector<Reloc>& relocs, Error& error) const;
  bool elf_crel_section(const Section& section, std::vector<Reloc>& relocs, Error& error) const;
  bool read_coff_header(Error& error);
  bool read_coff_sections(Error& error);
  bool read_coff_symbols(Error& error);
  void read_coff_comdats();
  bool coff_relocations(const Section& section, std::vector<Reloc>& relocs, Error& error) const;

  Bytes bytes_;
  u64 header_ = 0;          ///< COFF: of the file's header
  u64 symbols_offset_ = 0;  ///< COFF
  u32 symbol_count_ = 0;
  u32 symbol_size_ = 18;
  u32 section_count_ = 0;
};

/// The object in `bytes`. False, with `error`, if it is none or cannot be read.
bool read_object(std::span<const u8> bytes, Object& object, Error& error);

}  // namespace xas::read
