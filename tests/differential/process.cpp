// SPDX-License-Identifier: Apache-2.0
// See process.h. The child is made by fork and exec, so that its limits can be set; between the two only functions are
// called that are safe after a fork of a program with several threads.
#include "process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace diff {

namespace fs = std::filesystem;

namespace {

/// Waits for `child` at most `seconds`; false if it had to be killed.
bool wait_for(pid_t child, double seconds, int& status) {
  int descriptor = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  if (descriptor >= 0) {
    pollfd entry{descriptor, POLLIN, 0};
    auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    int ready = -1;
    do {
      auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
      ready = poll(&entry, 1, static_cast<int>(std::max<long>(0, left.count())));
    } while (ready < 0 && errno == EINTR);
    close(descriptor);
    if (ready == 0) kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return ready != 0;
  }
  for (double waited = 0; waited < seconds; waited += 0.005) {  // a kernel older than 5.3
    if (waitpid(child, &status, WNOHANG) == child) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return false;
}

}  // namespace

std::string RunResult::ending() const {
  if (timed_out) return "no end within the time limit";
  if (signal != 0) return fmt::format("signal {}", signal);
  return fmt::format("exit status {}", exit_status);
}

RunResult run(const std::vector<std::string>& arguments, const fs::path& directory, const fs::path& input,
              const fs::path& scratch, const RunLimits& limits) {
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  const std::string in = input.empty() ? "/dev/null" : input.string();
  const std::string out = (scratch / "stdout").string();
  const std::string err = (scratch / "stderr").string();
  const std::string where = directory.string();
  pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    if (limits.address_space != 0) {
      rlimit limit{limits.address_space, limits.address_space};
      setrlimit(RLIMIT_AS, &limit);
    }
    rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    if (!where.empty() && chdir(where.c_str()) != 0) _exit(127);
    dup2(open(in.c_str(), O_RDONLY), 0);
    dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
    dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
    execvp(pointers[0], pointers.data());
    _exit(127);
  }
  RunResult result;
  int status = 0;
  result.timed_out = !wait_for(child, limits.seconds, status);
  if (WIFEXITED(status)) result.exit_status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.errors = read_file(err, 8 << 20).value_or("");
  result.output = read_file(out, 1 << 20).value_or("");
  return result;
}

std::optional<std::string> read_file(const fs::path& path, std::uint64_t limit) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::error_code ignored;
  std::uint64_t size = fs::file_size(path, ignored);
  if (ignored) size = 0;
  std::string text(std::min(size, limit), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

ScratchDirectory::ScratchDirectory() {
  const char* chosen = std::getenv("TMPDIR");
  std::string pattern = chosen != nullptr ? chosen : access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  pattern += "/xas-tests-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a directory like " + pattern);
  path_ = pattern;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace diff
