// SPDX-License-Identifier: Apache-2.0
// Structures of the C interface that say their own size: a program may have been built with the header of an earlier
// version, in which they end sooner, or of a later one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "xas/xas.h"

namespace xas {

/// Where a structure ended in the first version that had it. Fields that are added later do not change it.
template <class T>
inline constexpr std::size_t first_size = 0;
template <>
inline constexpr std::size_t first_size<xas_encode_options> = offsetof(xas_encode_options, user) + sizeof(void*);
template <>
inline constexpr std::size_t first_size<xas_encoding> =
    offsetof(xas_encoding, relocation_count) + sizeof(xas_encoding::relocation_count);
template <>
inline constexpr std::size_t first_size<xas_section_request> =
    offsetof(xas_section_request, subsection) + sizeof(xas_section_request::subsection);
template <>
inline constexpr std::size_t first_size<xas_line> = offsetof(xas_line, flags) + sizeof(xas_line::flags);
template <>
inline constexpr std::size_t first_size<xas_pc_tag> =
    offsetof(xas_pc_tag, constant_count) + sizeof(xas_pc_tag::constant_count);

/// It may be the size of a structure of some version: no version has any of more bytes than these.
template <class T>
bool is_struct_size(std::size_t size) {
  static_assert(first_size<T> != 0);
  constexpr std::size_t longest = 4096;
  return size >= first_size<T> && size <= longest;
}

inline constexpr const char* wrong_struct_size = "`struct_size` is not the structure's size";

/// Makes `given` the structure of this version, in `room` if the caller's is of another: what the caller's ends before
/// is 0. Returns what is wrong with it, or null.
template <class T>
const char* take_struct(const T*& given, T& room) {
  const std::size_t size = given->struct_size;
  if (size == sizeof(T)) [[likely]]
    return nullptr;
  if (!is_struct_size<T>(size)) return wrong_struct_size;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(given);
  if (size > sizeof(T) && std::any_of(bytes + sizeof(T), bytes + size, [](unsigned char b) { return b != 0; }))
    return "a structure has a field set that this version does not know";
  room = {};
  std::memcpy(static_cast<void*>(&room), bytes, std::min(size, sizeof(T)));
  given = &room;
  return nullptr;
}

/// Puts a result into the caller's structure, whose size is one: as much of it as that has, and 0 behind it.
template <class T>
void give_struct(const T& made, T* result) {
  const std::size_t size = result->struct_size, known = std::min(size, sizeof(T));
  auto* const bytes = reinterpret_cast<unsigned char*>(result);
  std::memcpy(bytes, &made, known);
  std::memset(bytes + known, 0, size - known);
  result->struct_size = size;
}

}  // namespace xas
