// SPDX-License-Identifier: Apache-2.0
// Running the programs under comparison: with a time limit, an address space limit, and their messages captured.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace diff {

struct RunLimits {
  double seconds = 60;
  std::uint64_t address_space = std::uint64_t(8) << 30;  ///< bytes; 0 for no limit (AddressSanitizer needs that)
};

struct RunResult {
  int exit_status = -1;  ///< -1 if it did not exit by itself
  int signal = 0;
  bool timed_out = false;
  std::string errors;  ///< standard error, at most 1 MB of it
  std::string output;  ///< standard output, likewise

  bool succeeded() const { return exit_status == 0; }
  /// It ended in another way than by its own decision.
  bool crashed() const { return signal != 0 && !timed_out; }
  /// "exit status 1", "signal 11", "no end after 60 seconds"
  std::string ending() const;
};

/// Runs `arguments` (found by PATH) in `directory`, reading `input` (or nothing). `scratch` is a directory for the
/// captured streams, used by no other run at the same time.
RunResult run(const std::vector<std::string>& arguments, const std::filesystem::path& directory,
              const std::filesystem::path& input, const std::filesystem::path& scratch, const RunLimits& limits = {});

/// A whole file, or nothing if it cannot be read.
std::optional<std::string> read_file(const std::filesystem::path& path, std::uint64_t limit = ~std::uint64_t(0));

/// The same as bytes.
inline std::span<const std::uint8_t> as_bytes(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// A directory under /dev/shm, or $TMPDIR, that goes away with this object.
class ScratchDirectory {
 public:
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace diff
