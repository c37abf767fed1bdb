// SPDX-License-Identifier: Apache-2.0
// Windows, by mingw's C library.
#include "asm/text/host.h"

#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <psapi.h>
#include <sys/stat.h>

#include <cctype>
#include <cerrno>
#include <cstdlib>

namespace xas::host {

int open_to_read(const char* path) { return ::_open(path, O_RDONLY | O_BINARY | O_NOINHERIT); }
int open_to_overwrite(const char* path) { return ::_open(path, O_WRONLY | O_TRUNC | O_BINARY | O_NOINHERIT); }
int create(const char* path) {
  return ::_open(path, O_WRONLY | O_CREAT | O_EXCL | O_BINARY | O_NOINHERIT, _S_IREAD | _S_IWRITE);
}

void set_standard_streams() {
  for (int descriptor : {0, 1, 2}) ::_setmode(descriptor, O_BINARY);
}

char* map_padded(int, std::size_t, std::size_t&) { return nullptr; }
char* reserve_memory(std::size_t, std::size_t&) { return nullptr; }
void unmap(void*, std::size_t) {}

HeldSignals::HeldSignals() = default;
HeldSignals::~HeldSignals() = default;
void widen_pipe(int) {}
std::size_t page_size() { return 4096; }
void fetch_pages(const char*, std::size_t) {}
void release_pages(const char*, std::size_t) {}

namespace {

/// A file for as long as this lives.
class Handle {
 public:
  explicit Handle(const char* path)
      : handle_(::CreateFileA(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_EXISTING,
                              FILE_ATTRIBUTE_NORMAL, nullptr)) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (handle_ != INVALID_HANDLE_VALUE) ::CloseHandle(handle_);
  }
  bool information(BY_HANDLE_FILE_INFORMATION& to) const {
    return handle_ != INVALID_HANDLE_VALUE && ::GetFileInformationByHandle(handle_, &to);
  }

 private:
  HANDLE handle_;
};

/// A word of a command line, so that the C library of the program that is started finds it as it is.
std::string quoted(const std::string& word) {
  if (!word.empty() && word.find_first_of(" \t\"") == word.npos) return word;
  std::string result = "\"";
  std::size_t backslashes = 0;
  for (char c : word) {
    if (c == '"') result.append(backslashes + 1, '\\');
    backslashes = c == '\\' ? backslashes + 1 : 0;
    result += c;
  }
  return result.append(backslashes, '\\') + '"';
}

}  // namespace

bool is_same_file(const char* a, const char* b) {
  BY_HANDLE_FILE_INFORMATION x, y;
  return is_regular_file(a) && Handle(a).information(x) && Handle(b).information(y) &&
         x.dwVolumeSerialNumber == y.dwVolumeSerialNumber && x.nFileIndexHigh == y.nFileIndexHigh &&
         x.nFileIndexLow == y.nFileIndexLow;
}

bool is_regular_file(const char* path) {
  struct stat st;
  return ::stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

std::optional<std::string> read_link(const char*) {
  errno = EINVAL;
  return std::nullopt;
}

int set_permissions(int, unsigned) { return 0; }

std::optional<std::string> real_path(const char* path) {
  char* const found = ::_access(path, 0) == 0 ? ::_fullpath(nullptr, path, 0) : nullptr;
  if (!found) return std::nullopt;
  std::string result = found;
  std::free(found);
  return result;
}

bool is_absolute(std::string_view path) {
  const bool has_drive = path.size() > 1 && std::isalpha(static_cast<unsigned char>(path[0])) && path[1] == ':';
  return path.starts_with('/') || path.starts_with('\\') || has_drive;
}

std::size_t last_name(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\:");
  return slash == path.npos ? 0 : slash + 1;
}

Ending run(const std::vector<std::string>& command, std::string& output) {
  std::vector<std::string> words;
  for (const std::string& word : command) words.push_back(quoted(word));
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  arguments.push_back(nullptr);

  int pipe[2];
  if (::_pipe(pipe, 65536, O_BINARY | O_NOINHERIT) != 0) return {.error = errno};
  // The program inherits descriptor 1, which is the pipe for that long.
  const int own_output = ::_dup(1);
  ::_dup2(pipe[1], 1);
  const intptr_t child = ::_spawnvp(_P_NOWAIT, command[0].c_str(), arguments.data());
  const int error = child == -1 ? errno : 0;
  if (own_output >= 0) {
    ::_dup2(own_output, 1);
    ::_close(own_output);
  } else {
    ::_close(1);
  }
  ::_close(pipe[1]);
  char block[65536];
  for (int n; !error && (n = ::_read(pipe[0], block, sizeof block)) > 0;) output.append(block, std::size_t(n));
  ::_close(pipe[0]);
  if (error) return {.error = error};
  int status = 0;
  if (::_cwait(&status, child, 0) == -1) return {.error = errno};
  return {.status = status};
}

long peak_memory() {
  PROCESS_MEMORY_COUNTERS counters = {};
  ::K32GetProcessMemoryInfo(::GetCurrentProcess(), &counters, sizeof counters);
  return long(counters.PeakWorkingSetSize / 1024);
}

std::string_view default_triple() { return "x86_64-w64-mingw32"; }

}  // namespace xas::host
