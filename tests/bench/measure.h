// SPDX-License-Identifier: Apache-2.0
// Time, memory and instructions of whole processes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

struct Measurement {
  bool ok = false;         ///< exit status 0
  double wall = 0;         ///< seconds, from before the fork to after the wait
  double cpu = 0;          ///< seconds, user and system
};

/// Runs `arguments` with its messages thrown away.
Measurement run_timed(const std::vector<std::string>& arguments);

/// The peak of resident memory of `arguments` in KiB, 0 if it cannot be told.
std::uint64_t peak_memory(const std::vector<std::string>& arguments);

/// The instructions that `arguments` executes outside of the kernel: by the machine's counter, or by valgrind's
/// cachegrind where there is none. 0 if neither is there.
std::uint64_t instructions(const std::vector<std::string>& arguments);

}  // namespace bench
