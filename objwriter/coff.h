// SPDX-License-Identifier: Apache-2.0
// Object to COFF file: objects for Windows, regular and bigobj.
#pragma once

#include <optional>

#include "objwriter/object.h"
#include "objwriter/output_buffer.h"
#include "objwriter/strtab.h"

namespace xas::obj {

/// Writes objects into memory. One writer can be used for many objects and keeps its memory between them; two threads
/// need two writers.
class CoffWriter {
 public:
  /// Fills `out` with the COFF file of `object`, whose symbols are `coff_symbols`. All indices in `object` must be
  /// good. On an error, `out` is unspecified.
  std::optional<WriteError> write(const Object& object, OutputBuffer& out);

 private:
  static constexpr u32 no_name = ~u32(0);
  struct Placed {
    u64 contents = 0;
    u64 relocs = 0;
    u64 relocs_size = 0;
    u32 number = 0;       ///< from 1
    u32 name = no_name;   ///< its number in `section_names()`, if it is too long for the header
    u32 checksum = 0;
  };
  struct PlacedSymbol {
    u32 index;            ///< in the file, where auxiliary records count
    u32 name = no_name;
    u32 text = no_name;   ///< of a file name that is in the string table
    u8 aux_records = 0;
  };
  enum class Region : u8 { contents, padding, relocs, symbols, strings };

  const CoffStyle& style() const { return object_->coff; }
  /// GNU as puts the sections' names before those of the symbols, sharing nothing.
  const StringTable& section_names() const { return style().sorted_strings ? strings_ : section_names_; }
  u32 record_size() const;
  bool files_in_strings() const;
  bool has_contents(u32 section) const;

  std::optional<WriteError> check() const;
  void number_sections();
  void number_symbols();
  std::optional<WriteError> collect_strings();
  std::optional<WriteError> place();
  template <typename Visit>
  void in_file_order(Visit visit) const;

  void write_headers(u8* out) const;
  void write_section_header(u32 section, u8* out) const;
  void write_contents(u32 section, u8* out);
  void write_relocs(u32 section, u8* out) const;
  template <typename Record>
  void write_symbols(u8* out) const;
  void write_aux(const CoffSymbol& symbol, const PlacedSymbol& placed, u8* out) const;
  void write_section_definition(const CoffSymbol& symbol, u8* out) const;

  const Object* object_ = nullptr;
  bool big_obj_ = false;
  BigVector<Placed> sections_;
  BigVector<PlacedSymbol> symbols_;
  u64 symbol_records_ = 0;
  u64 padding_offset_ = 0;
  u64 symbols_offset_ = 0;
  u64 strings_offset_ = 0;
  u64 file_size_ = 0;
  StringTable section_names_, strings_;
};

/// For a single object; see CoffWriter::write.
std::optional<WriteError> write_coff(const Object& object, OutputBuffer& out);

}  // namespace xas::obj
