// SPDX-License-Identifier: Apache-2.0
// Object to ELF file: relocatable objects of ELF32 and ELF64 in both byte orders.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "objwriter/object.h"
#include "objwriter/output_buffer.h"
#include "objwriter/strtab.h"

namespace xas::obj {

/// Writes objects into memory. One writer can be used for many objects and keeps its memory between them; two threads
/// need two writers.
class ElfWriter {
 public:
  /// Fills `out` with the ELF file of `object`. All indices in `object` must be good. On an error, `out` is
  /// unspecified.
  std::optional<WriteError> write(const Object& object, OutputBuffer& out);

 private:
  /// Where a section and its relocation section stand.
  struct Placed {
    u64 offset = 0;
    u64 relocs_offset = 0;
    u64 relocs_size = 0;
    u32 index = 0;  ///< number of its header; that of its relocation section is the next one
    u32 name = 0;   ///< number of its name in `section_names()`; that of its relocation section's is the next one
  };
  struct PlacedGroup {
    u64 offset = 0;
    u32 index = 0;  ///< 0: no section is in it
    u64 size = 0;
  };
  /// A section that the writer makes.
  struct Made {
    u64 offset = 0;
    u64 size = 0;
    u32 index = 0;  ///< 0: there is none
    u32 name = 0;
  };
  enum class Region : u8 { section, relocs, group, symtab, shndx, strtab, shstrtab, headers };
  struct Extent {
    u64 align;
    u64 size;  ///< bytes in the file
  };
  /// A region to be written, and the padding before it.
  struct Piece {
    Region region;
    u32 i;
    u64 from;  ///< where the region before it ends
  };

  StringTable& section_names() { return style().one_string_table ? strtab_ : shstrtab_; }
  const StringTable& section_names() const { return style().one_string_table ? strtab_ : shstrtab_; }
  const ElfStyle& style() const { return object_->elf; }
  bool wide() const { return object_->elf64; }
  u64 word_size() const { return wide() ? 8 : 4; }

  void number_headers();
  void number_group(u32 group);
  bool needs_shndx() const;
  void collect_names();
  std::optional<WriteError> place();
  std::optional<WriteError> check_elf32() const;
  template <typename Visit>
  void in_file_order(Visit visit) const;

  Extent extent(Region region, u32 i) const;
  u64& offset(Region region, u32 i);
  u32 header_of(u32 section) const;
  template <typename F>
  void write_file(u8* out);
  template <typename F>
  u64 write_piece(Piece piece, u8* out);
  template <typename F>
  void write_file_header(u8* out) const;
  template <typename F>
  void write_headers(u8* out) const;
  template <typename F>
  void write_symbols(u8* out) const;
  template <typename F>
  void write_shndx(u8* out) const;
  template <typename F>
  void write_relocs(const Section& section, u8* out) const;
  template <typename F>
  void write_groups(u8* out) const;

  const Object* object_ = nullptr;
  BigVector<Placed> sections_;
  std::vector<PlacedGroup> groups_;
  std::vector<u32> group_order_;  ///< those that have members, by their first one
  Made symtab_header_, shndx_header_, strtab_header_, shstrtab_header_;
  u32 group_name_ = 0;
  u32 headers_ = 0;  ///< how many, with the null header
  u64 headers_offset_ = 0;
  u64 file_size_ = 0;
  StringTable strtab_, shstrtab_;
  std::string reloc_names_;  ///< ".rela.text.rela.data...": what the string table's entries point into
};

/// For a single object; see ElfWriter::write.
std::optional<WriteError> write_elf(const Object& object, OutputBuffer& out);

}  // namespace xas::obj
