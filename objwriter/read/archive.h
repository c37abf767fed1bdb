// SPDX-License-Identifier: Apache-2.0
// Reading `ar` archives: those of GNU and System V, of BSD, and of Windows; and GNU's thin ones, which hold the names
// of their members' files only.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "objwriter/read/bytes.h"

namespace xas::read {

struct Member {
  std::string_view name;
  u64 header = 0;  ///< offset in the archive
  u64 size = 0;
  std::span<const u8> data;  ///< empty for a file outside
  bool external = false;     ///< of a thin archive: `name` is a file, relative to the archive's directory
};

/// The members without the tables of names and symbols. `bytes` begin as an archive does. False, with `error`, if they
/// cannot be read.
bool read_archive(std::span<const u8> bytes, std::vector<Member>& members, Error& error);

}  // namespace xas::read
