// SPDX-License-Identifier: Apache-2.0
// Which line of which file the assembly is at, as GNU as counts: text that a macro made is on the line of the outermost
// call, a loop is on that of its .endr, or, if its lines count (GNU as puts a .linefile directive in front of each
// round), on its own.
#pragma once

#include <string_view>
#include <vector>

#include "xas/types.hpp"

namespace xas {

class Streamer;
struct SourceBuffer;

class LineFinder {
 public:
  struct Place {
    std::string_view file;
    u32 line;
    bool round_starts;  ///< a loop's round is about to begin: this is the line of GNU as's .linefile
  };
  /// `logical`: line markers and lines of loops count.
  Place find(Streamer& out, const char* at, bool logical);

 private:
  /// Newlines counted so far, for each buffer that is open.
  struct Tracked {
    const SourceBuffer* buffer = nullptr;
    const char* p = nullptr;
    u32 newlines = 0;
    u32 total = 0;  ///< in all of it, if it is a loop's round
  };
  u32 newlines_before(std::size_t level, const SourceBuffer& buffer, const char* at);

  std::vector<Tracked> tracked_;
};

}  // namespace xas
