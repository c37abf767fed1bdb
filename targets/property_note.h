// SPDX-License-Identifier: Apache-2.0
// The contents of .note.gnu.property (Linux Extensions to gABI, "Program Property").
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "objwriter/endian.h"

namespace xas {

/// A property whose value has four bytes.
struct GnuProperty {
  u32 type, value;
};

/// A note with these properties, which are padded to `align` bytes, those of an address.
inline std::string gnu_property_note(std::initializer_list<GnuProperty> properties, unsigned align, bool big_endian) {
  constexpr u32 NT_GNU_PROPERTY_TYPE_0 = 5, value_size = 4;
  constexpr unsigned property_size = 12;
  constexpr std::string_view owner{"GNU", 4};
  const unsigned padding = -property_size % align;
  std::string note;
  const auto put = [&](u64 word) { append_int(note, word, 4, big_endian); };
  put(owner.size());
  put(properties.size() * (property_size + padding));
  put(NT_GNU_PROPERTY_TYPE_0);
  note += owner;
  for (const GnuProperty& p : properties) {
    put(p.type);
    put(value_size);
    put(p.value);
    note.append(padding, '\0');
  }
  return note;
}

}  // namespace xas
