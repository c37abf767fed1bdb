// A reader of relocatable ELF files for the differential tests: both classes, both byte orders.
//
// It shares no code with the writer under test. Everything is checked against the file's size, since the file may come
// from a program with a fault: an object that cannot be read throws ElfError, which is a difference like any other.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace diff {

struct ElfError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct ElfReloc {
  std::uint64_t offset = 0;
  std::uint32_t type = 0;
  std::uint32_t symbol = 0;  ///< index in ElfFile::symbols
  std::int64_t addend = 0;   ///< 0 in SHT_REL, where the contents have it
};

struct ElfSection {
  std::uint32_t index = 0;
  std::string name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint64_t address = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint32_t link = 0;
  std::uint32_t info = 0;
  std::uint64_t align = 0;
  std::uint64_t entsize = 0;
  std::span<const std::uint8_t> data;  ///< empty for SHT_NOBITS
  std::vector<ElfReloc> relocs;        ///< of all relocation sections for this one
  std::string reloc_kind;              ///< "REL", "RELA", "CREL", or empty
  std::uint32_t group = 0;             ///< the SHT_GROUP section that this one is in, or 0
};

struct ElfSymbol {
  std::string name;
  std::uint64_t value = 0;
  std::uint64_t size = 0;
  std::uint8_t binding = 0;
  std::uint8_t type = 0;
  std::uint8_t other = 0;
  std::uint32_t section = 0;  ///< the extended index, if there is one
  bool special = false;       ///< `section` is SHN_ABS, SHN_COMMON, ...
};

struct ElfGroup {
  std::uint32_t section = 0;
  std::uint32_t flags = 0;
  std::string signature;
  std::vector<std::uint32_t> members;
};

struct ElfFile {
  bool elf64 = true;
  bool big_endian = false;
  std::uint8_t os_abi = 0;
  std::uint8_t abi_version = 0;
  std::uint16_t type = 0;
  std::uint16_t machine = 0;
  std::uint32_t flags = 0;
  std::uint64_t section_headers = 0;  ///< file offset
  std::vector<ElfSection> sections;
  std::vector<ElfSymbol> symbols;  ///< with the null symbol
  std::vector<ElfGroup> groups;
  std::uint32_t first_global = 0;  ///< sh_info of the symbol table
};

/// The object in `bytes`, which must outlive it. Throws ElfError.
ElfFile read_elf(std::span<const std::uint8_t> bytes);

/// "R_X86_64_PLT32" and the like; the number for those of machines that are not named here.
std::string reloc_name(std::uint16_t machine, std::uint32_t type);

/// "PROGBITS", "NOTE", ...
std::string section_type_name(std::uint32_t type);

/// "WA", "AX", ... as readelf prints them.
std::string section_flags_name(std::uint64_t flags);

}  // namespace diff
