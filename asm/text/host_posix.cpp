// SPDX-License-Identifier: Apache-2.0
// Linux and other Unix systems.
#include "asm/text/host.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

extern char** environ;

namespace xas::host {

int open_to_read(const char* path) { return ::open(path, O_RDONLY | O_CLOEXEC); }
int open_to_overwrite(const char* path) { return ::open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY); }
int create(const char* path) { return ::open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); }
void set_standard_streams() {}

char* map_padded(int descriptor, std::size_t size, std::size_t& mapped) {
  const std::size_t page = page_size();
  const std::size_t file_pages = (size + page - 1) / page * page;
  const std::size_t all = file_pages + page;
  mapped = 0;
  void* whole = ::mmap(nullptr, all, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (whole == MAP_FAILED) return nullptr;
  if (::mmap(whole, file_pages, PROT_READ, MAP_PRIVATE | MAP_FIXED, descriptor, 0) == MAP_FAILED) {
    ::munmap(whole, all);
    return nullptr;
  }
  mapped = all;
  return static_cast<char*>(whole);
}

char* reserve_memory(std::size_t size, std::size_t& mapped) {
#ifdef MAP_NORESERVE
  void* const memory =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  mapped = memory == MAP_FAILED ? 0 : size;
  return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
#else
  mapped = 0;
  return nullptr;
#endif
}

void unmap(void* memory, std::size_t mapped) { ::munmap(memory, mapped); }

static sigset_t set_of(const std::vector<int>& signals) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : signals) sigaddset(&set, signal);
  return set;
}

HeldSignals::HeldSignals() : held_{SIGINT, SIGTERM, SIGHUP, SIGQUIT} {
  ::signal(SIGXFSZ, SIG_IGN);
  const sigset_t held = set_of(held_);
  sigset_t before;
  ::pthread_sigmask(SIG_BLOCK, &held, &before);
  std::erase_if(held_, [&](int signal) { return sigismember(&before, signal); });
}

HeldSignals::~HeldSignals() {
  const sigset_t held = set_of(held_);
  ::pthread_sigmask(SIG_UNBLOCK, &held, nullptr);
}

void widen_pipe([[maybe_unused]] int descriptor) {
#ifdef F_SETPIPE_SZ
  constexpr int wide = 1 << 20;
  ::fcntl(descriptor, F_SETPIPE_SZ, wide);
#endif
}

std::size_t page_size() { return std::size_t(::sysconf(_SC_PAGESIZE)); }

void fetch_pages([[maybe_unused]] const char* begin, [[maybe_unused]] std::size_t size) {
#ifdef MADV_POPULATE_READ
  ::madvise(const_cast<char*>(begin), size, MADV_POPULATE_READ);
#endif
}

void release_pages([[maybe_unused]] const char* begin, [[maybe_unused]] std::size_t size) {
#ifdef MADV_POPULATE_READ
  ::madvise(const_cast<char*>(begin), size, MADV_DONTNEED);
#endif
}

bool is_same_file(const char* a, const char* b) {
  struct stat x, y;
  return ::stat(a, &x) == 0 && ::stat(b, &y) == 0 && S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool is_regular_file(const char* path) {
  struct stat st;
  return ::lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

std::optional<std::string> read_link(const char* path) {
  char target[4096];
  const ssize_t n = ::readlink(path, target, sizeof target);
  if (n == ssize_t(sizeof target)) errno = ENAMETOOLONG;
  if (n < 0 || n == ssize_t(sizeof target)) return std::nullopt;
  return std::string(target, std::size_t(n));
}

int set_permissions(int descriptor, unsigned mode) { return ::fchmod(descriptor, mode) == 0 ? 0 : errno; }

std::optional<std::string> real_path(const char* path) {
  char* const found = ::realpath(path, nullptr);
  if (!found) return std::nullopt;
  std::string result = found;
  std::free(found);
  return result;
}

bool is_absolute(std::string_view path) { return path.starts_with('/'); }

std::size_t last_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? 0 : slash + 1;
}

namespace {

/// All that comes out of the pipe.
void read_all(int descriptor, std::string& text) {
  char block[65536];
  ssize_t n;
  while ((n = ::read(descriptor, block, sizeof block)) > 0 || (n < 0 && errno == EINTR)) {
    if (n > 0) text.append(block, std::size_t(n));
  }
}

}  // namespace

Ending run(const std::vector<std::string>& command, std::string& output) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  int pipe[2];
  if (::pipe(pipe) != 0) return {.error = errno};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addclose(&actions, pipe[0]);
  ::posix_spawn_file_actions_addclose(&actions, pipe[1]);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[1]);
  if (!error) read_all(pipe[0], output);
  ::close(pipe[0]);
  if (error) return {.error = error};
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) return {.signal = WTERMSIG(status)};
  return {.status = WEXITSTATUS(status)};
}

long peak_memory() {
  rusage usage;
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

std::string_view default_triple() { return "x86_64-linux-gnu"; }

}  // namespace xas::host
