// SPDX-License-Identifier: Apache-2.0
// Integers of a given byte order, and on-disk structures built of them: they have no alignment, so that a structure
// made of them has the size that its specification gives, can stand anywhere in a file, and is read and written by
// plain assignment whatever machine this runs on.
#pragma once

#include <bit>
#include <cstring>
#include <type_traits>

#include "xas/types.hpp"

namespace xas {

template <typename T, std::endian Order>
class Ordered {
 public:
  Ordered() = default;
  Ordered(T value) { *this = value; }

  Ordered& operator=(T value) {
    value = swap(value);
    std::memcpy(bytes, &value, sizeof(T));
    return *this;
  }
  operator T() const {
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return swap(value);
  }

 private:
  static T swap(T value) {
    using U = std::make_unsigned_t<T>;
    if constexpr (Order == std::endian::native || sizeof(T) == 1) return value;
    else if constexpr (sizeof(T) == 2) return T(__builtin_bswap16(U(value)));
    else if constexpr (sizeof(T) == 4) return T(__builtin_bswap32(U(value)));
    else return T(__builtin_bswap64(U(value)));
  }

  u8 bytes[sizeof(T)];
};

using ul16 = Ordered<u16, std::endian::little>;
using ul32 = Ordered<u32, std::endian::little>;
using ul64 = Ordered<u64, std::endian::little>;
using ub16 = Ordered<u16, std::endian::big>;
using ub32 = Ordered<u32, std::endian::big>;
using ub64 = Ordered<u64, std::endian::big>;

/// Writes the low `size` bytes, 0 to 8, of a number; Byte is u8 or char.
template <typename Byte>
constexpr void store_int(Byte* out, u64 value, unsigned size, bool big_endian = false) {
  for (unsigned i = 0; i < size; ++i) out[big_endian ? size - 1 - i : i] = Byte(value >> (8 * i));
}

/// The same for 1 to 8 bytes where eight may be written, which takes no loop; what the others are is undefined.
inline void store_int_in_8(u8* out, u64 value, unsigned size, bool big_endian) {
  if (big_endian) value = __builtin_bswap64(value) >> (64 - 8 * size);
  const Ordered<u64, std::endian::little> stored = value;
  std::memcpy(out, &stored, sizeof stored);
}

/// Appends the low `size` bytes, 0 to 8, of a number to a string or a vector of bytes.
template <typename Bytes>
void append_int(Bytes& to, u64 value, unsigned size, bool big_endian = false) {
  if (big_endian && size) value = __builtin_bswap64(value) >> (64 - 8 * size);
  const Ordered<u64, std::endian::little> stored = value;
  const auto before = to.size();
  to.resize(before + size);
  std::memcpy(to.data() + before, &stored, size);
}

/// Reads an unsigned number of 0 to 8 bytes.
constexpr u64 load_int(const u8* from, unsigned size, bool big_endian = false) {
  u64 value = 0;
  for (unsigned i = 0; i < size; ++i) value |= u64(from[big_endian ? size - 1 - i : i]) << (8 * i);
  return value;
}

}  // namespace xas
