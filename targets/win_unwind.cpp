// SPDX-License-Identifier: Apache-2.0
#include "targets/win_unwind.h"

#include <fmt/format.h>

namespace xas {

void check_win_unwind_length(std::optional<u32> length, std::optional<u32> expected, std::string_view what,
                             u32 epilogue, WinUnwindProblems& problems) {
  if (!length || !expected || *length == *expected) return;
  problems.push_back(
      {fmt::format("this {} has {} bytes of instructions, and .seh_ directives for {}", what, *length, *expected),
       epilogue});
}

}  // namespace xas
