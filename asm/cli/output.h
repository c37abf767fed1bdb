// SPDX-License-Identifier: Apache-2.0
// Writing the output file: whole or not at all.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "xas/types.hpp"

namespace xas::cli {

/// Writes `bytes` to `path`; "-" is standard output. A regular file appears under its name only when it is complete: it
/// is written beside it under another name first. Devices, pipes and standard output are written directly.
/// On an error, says what went wrong ("can't write out.o: No space left on device"); then no new file is there, and
/// an old one is as it was.
std::optional<std::string> write_file_atomically(const std::string& path, std::span<const u8> bytes);

}  // namespace xas::cli
