// SPDX-License-Identifier: Apache-2.0
// What systems do differently: files, memory of files, other programs. host_posix.cpp and host_windows.cpp have it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xas::host {

/// A descriptor to read a file's bytes from, which no other program inherits; -1 (errno) if that cannot be done.
int open_to_read(const char* path);
/// The same to write what is there, be it a device; a file is emptied.
int open_to_overwrite(const char* path);
/// The same to write a file that is not there yet (else EEXIST); who may read it is what the user's settings say.
int create(const char* path);
/// Lets standard input, output and error carry bytes as they are.
void set_standard_streams();

/// Maps `size` bytes of a file and at least a page of zeros behind them; `mapped` is for `unmap`. Null if files are to
/// be read instead.
char* map_padded(int descriptor, std::size_t size, std::size_t& mapped);
/// Memory of zeros that takes no room until it is touched; `mapped` is for `unmap`. Null if there is not so much.
char* reserve_memory(std::size_t size, std::size_t& mapped);
void unmap(void* memory, std::size_t mapped);
/// Lets the descriptor, if it is a pipe, hold more bytes than usual, so that who writes seldom waits.
void widen_pipe(int descriptor);
/// The bytes of a page.
std::size_t page_size();
/// Fetches a mapped file's pages at once, and lets the system take back those that are not needed soon. Where either is
/// not possible, pages come and go one by one.
void fetch_pages(const char* begin, std::size_t size);
void release_pages(const char* begin, std::size_t size);

/// Whether both are the same regular file.
bool is_same_file(const char* a, const char* b);
/// Whether the path itself, not what a symbolic link leads to, is a regular file.
bool is_regular_file(const char* path);
/// Where a symbolic link leads. Nothing, with EINVAL (errno) where the path is no link.
std::optional<std::string> read_link(const char* path);
/// Lets an open file be used by those who `mode` says. 0, or an error's number.
int set_permissions(int descriptor, unsigned mode);
/// The absolute path without symbolic links and ".."; nothing if there is no such file.
std::optional<std::string> real_path(const char* path);
/// Whether a path does not depend on the current folder.
bool is_absolute(std::string_view path);
/// Where the path's last name starts.
std::size_t last_name(std::string_view path);

/// While it lives, what would end the process from outside (Ctrl-C, a time limit) waits, and a limit on files' sizes is
/// an error of the write (EFBIG).
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

 private:
  std::vector<int> held_;
};

/// How a program has ended.
struct Ending {
  int error = 0;   ///< it could not be started: an error's number
  int signal = 0;  ///< what has ended it from outside
  int status = 0;  ///< its exit status
};
/// Runs a program, found as a shell would, without a shell; `output` is what it writes to standard output.
Ending run(const std::vector<std::string>& command, std::string& output);

/// The most memory that this process has had, in KiB.
long peak_memory();

/// The target of programs for this system, if no other is named.
std::string_view default_triple();

}  // namespace xas::host
