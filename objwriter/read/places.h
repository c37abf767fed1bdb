// SPDX-License-Identifier: Apache-2.0
// Places of an object told as people know them: which symbol an address is behind, where a relocated field points.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "objwriter/read/object.h"

namespace xas::read {

/// A place of an object: a section and an offset in it; of a linked image, the address is section address + offset.
struct Place {
  u32 section = 0;
  u64 offset = 0;
};

/// The best symbol at or before a place.
struct Nearest {
  std::string_view name;  ///< empty if there is none
  u64 offset = 0;         ///< of the place, from the symbol
  u64 size = 0;           ///< the symbol's, or 0
};

/// The named symbols of an object by their places. Functions come before others of one place, global ones before local
/// ones; mapping symbols, files, sections and labels that begin with .L do not count.
class Places {
 public:
  explicit Places(const Object& object);
  Nearest nearest(Place place) const;
  /// The section of a linked image that holds an address.
  std::optional<Place> of_address(u64 address) const;

 private:
  struct Entry {
    u32 section;
    u64 offset;
    u32 rank;  ///< the higher the better
    u32 symbol;
  };
  const std::vector<Symbol>* symbols_;
  std::vector<Entry> entries_;
  struct Range {
    u64 address, size;
    u32 section;
  };
  std::vector<Range> ranges_;
};

/// Where a field points that a relocation fills with an address or a distance.
struct Pointed {
  Place place;              ///< section 0: not in this file
  std::string_view symbol;  ///< the relocation's, if it has a name
  i64 addend = 0;           ///< from that symbol
};

/// How a machine's relocations fill fields. `none` where it has no such one.
struct FieldRelocs {
  u32 pc32 = none, pc64 = none;    ///< distances: S + A - P
  u32 abs32 = none, abs64 = none;  ///< addresses: S + A
  u32 relative = none;             ///< of linked ELF: the addend, or what the field holds
  i64 pc32_bias = 0;               ///< COFF: distances count from the field's end
};
FieldRelocs field_relocs(const Object& object);

/// The target of a relocation of an object that is not linked. `contents` is what the field holds, for relocations that
/// have no addend of their own; the field's own kind says how many bytes these are.
Pointed pointed_by(const Object& object, const Reloc& reloc, bool has_addend, i64 contents);

}  // namespace xas::read
