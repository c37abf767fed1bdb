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

}  // namespace xas
