// SPDX-License-Identifier: Apache-2.0
// An object file whose fields have names, for changes that no writer of objects would make:
//
//     header.e_shnum                  section[3].sh_offset           symbol[2].st_value
//     section[4].relocation[0].r_sym  section[5].ch_size             section[6].word[1]
//     header.NumberOfSections         section[1].Characteristics     symbol[2].aux.Number        (COFF)
//
// Fields are called as their specification calls them. r_sym and r_type are the two parts of r_info; byte, half, word
// and xword count through a section's contents. Sections and symbols have the file's numbers, so that COFF's sections
// begin with 1. Places are those of the object as it was made: a changed e_shoff moves no name.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xas/types.hpp"

namespace xas::corpus::objects {

class Image {
 public:
  /// A well-formed ELF or COFF object.
  void open(std::span<const u8> object);

  const std::vector<u8>& bytes() const { return bytes_; }
  /// Cuts it or adds zeros.
  void resize(u64 size) { bytes_.resize(size); }

  /// Writes a field. False if there is none of this name, or the value does not fit it. Each change is kept as
  /// "NAME = VALUE".
  bool set(std::string_view field, u64 value);
  std::optional<u64> get(std::string_view field) const;
  const std::vector<std::string>& changes() const { return changes_; }

  /// Notes a change that is not one of a field.
  void note(std::string change);

  u64 sections() const { return sections_.size(); }
  /// Of ELF with the null symbol, of COFF with the auxiliary records.
  u64 symbols() const { return symbols_; }
  u64 relocations() const { return relocations_; }
  u64 groups() const { return groups_; }
  u64 section_headers() const { return headers_; }
  bool big_endian() const { return big_endian_; }
  bool is_bigobj() const { return bigobj_; }
  /// The first section of the name, or 0.
  u64 section(std::string_view name) const;
  /// The first symbol of the name, or 0.
  u64 symbol(std::string_view name) const;
  std::string_view section_name(u64 index) const;

  struct Extent {
    u64 offset = 0;
    u64 size = 0;
  };
  /// The bytes of a section in the file.
  Extent contents(u64 section) const { return {sections_[section].offset, sections_[section].size}; }
  /// COFF: its relocations.
  Extent relocations_of(u64 section) const { return {sections_[section].relocs, sections_[section].relocs_size}; }
  Extent symbol_table() const { return symbol_table_; }
  Extent string_table() const { return strings_; }

  /// Moves the section headers of an ELF file from its end to the place behind the ELF header.
  void headers_to_front();

 private:
  struct Place {
    u64 offset = 0;
    unsigned size = 0;
    u64 shift = 0, mask = ~u64(0);  ///< of a part of a field
  };
  struct Section {
    u64 header = 0;
    u64 offset = 0, size = 0;  ///< contents in the file
    u64 name = 0;              ///< offset in the file
    u64 relocs = 0, relocs_size = 0;  ///< COFF
    u32 type = 0;
  };
  void open_elf();
  void open_coff();
  std::optional<Place> find(std::string_view field) const;
  std::optional<Place> find_in_section(u64 index, std::string_view field) const;
  std::optional<Place> find_in_symbol(u64 index, std::string_view field) const;
  std::optional<Place> find_relocation(u64 index, u64 number, std::string_view field) const;
  u64 number(u64 offset, unsigned size) const;
  std::string_view text(u64 offset, u64 limit) const;

  std::vector<u8> bytes_;
  bool coff_ = false, wide_ = false, big_endian_ = false, bigobj_ = false;
  std::vector<Section> sections_;
  Extent symbol_table_, strings_;
  u64 headers_ = 0, symbols_ = 0, relocations_ = 0, groups_ = 0;
  unsigned symbol_size_ = 0;
  std::vector<std::string> changes_;
};

}  // namespace xas::corpus::objects
