// SPDX-License-Identifier: Apache-2.0
// Checked access to the bytes of a file that may be damaged or hostile: every number, part and string is tested against
// the end before it is taken, and a failure is a value with its place.
#pragma once

#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "objwriter/endian.h"
#include "xas/types.hpp"

namespace xas::read {

/// What is wrong with a file, and where.
struct Error {
  u64 offset = 0;  ///< in bytes, from the start of the file
  std::string message;
};

/// Sets `error` and returns false, so that a reader can end with it.
inline bool fail(Error& error, u64 offset, std::string message) {
  error = {offset, std::move(message)};
  return false;
}

/// The bytes of a file and their order.
class Bytes {
 public:
  Bytes() = default;
  Bytes(std::span<const u8> data, bool big_endian) : data_(data), big_endian_(big_endian) {}

  u64 size() const { return data_.size(); }
  const u8* data() const { return data_.data(); }
  bool big_endian() const { return big_endian_; }
  bool holds(u64 offset, u64 size) const { return offset <= data_.size() && size <= data_.size() - offset; }

  /// `size` bytes at `offset`; both must be held.
  std::span<const u8> part(u64 offset, u64 size) const { return data_.subspan(offset, size); }

  /// An unsigned number of 1 to 8 bytes, which must be held.
  u64 number(u64 offset, unsigned size) const {
    return load_int(data_.data() + offset, size, big_endian_);
  }

  /// A structure of objwriter/{elf,coff}_format.h, which must be held.
  template <typename Struct>
  Struct structure(u64 offset) const {
    Struct made;
    std::memcpy(&made, data_.data() + offset, sizeof made);
    return made;
  }

 private:
  std::span<const u8> data_;
  bool big_endian_ = false;
};

/// A table of strings that end in NUL. A file may name one long string a million times: the ends of long strings are
/// kept, so that no byte is looked at for each of its names.
class StringTable {
 public:
  StringTable() = default;
  explicit StringTable(std::span<const u8> data) : data_(data) {}

  bool holds(u64 offset) const { return offset < data_.size(); }

  /// The string at `offset`, without its NUL; false if it begins or ends outside of the table.
  bool at(u64 offset, std::string_view& text) {
    if (!holds(offset)) return false;
    const char* start = reinterpret_cast<const char*>(data_.data()) + offset;
    u64 length = end_of(offset) - offset;
    if (offset + length >= data_.size()) return false;
    text = {start, std::size_t(length)};
    return true;
  }

 private:
  /// The offset of the NUL behind `offset`, or of the table's end.
  u64 end_of(u64 offset) {
    constexpr u64 near = 256;
    const u64 rest = data_.size() - offset;
    if (const void* end = std::memchr(data_.data() + offset, 0, rest < near ? rest : near)) return place(end);
    auto known = long_strings_.lower_bound(offset);  // by the end
    if (known != long_strings_.end() && known->second <= offset) return known->first;
    // Bytes from the start of a string that is known have been looked at already.
    const u64 limit = known != long_strings_.end() ? known->second : data_.size();
    const void* end = std::memchr(data_.data() + offset, 0, limit - offset);
    if (!end && known != long_strings_.end()) return known->second = offset, known->first;
    const u64 found = end ? place(end) : data_.size();
    long_strings_[found] = offset;
    return found;
  }
  u64 place(const void* p) const { return u64(static_cast<const u8*>(p) - data_.data()); }

  std::span<const u8> data_;
  std::map<u64, u64> long_strings_;  ///< end to start
};

}  // namespace xas::read
