// SPDX-License-Identifier: Apache-2.0
// See measure.h. ru_maxrss is no use for small programs: the kernel counts the memory of the process before exec too,
// which is this program's. So memory is measured in a run of its own that is stopped by ptrace just before its end,
// when /proc has the true peak (VmHWM).
#include "measure.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace bench {
namespace {

void become(const std::vector<char*>& pointers) {
  int null = open("/dev/null", O_RDWR);
  for (int descriptor : {0, 1, 2}) dup2(null, descriptor);
  execvp(pointers[0], pointers.data());
  _exit(127);
}

std::vector<char*> pointers_of(const std::vector<std::string>& arguments) {
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

std::uint64_t high_water_mark(pid_t process) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/status", process);
  std::FILE* file = std::fopen(path, "r");
  if (file == nullptr) return 0;
  char line[256];
  unsigned long long kib = 0;
  while (std::fgets(line, sizeof line, file) != nullptr) {
    if (std::sscanf(line, "VmHWM: %llu", &kib) == 1) break;
  }
  std::fclose(file);
  return kib;
}

}  // namespace

Measurement run_timed(const std::vector<std::string>& arguments) {
  std::vector<char*> pointers = pointers_of(arguments);
  auto start = std::chrono::steady_clock::now();
  pid_t child = vfork();
  if (child == 0) become(pointers);
  Measurement result;
  if (child < 0) return result;
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  result.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  result.ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return result;
}

std::uint64_t peak_memory(const std::vector<std::string>& arguments) {
  std::vector<char*> pointers = pointers_of(arguments);
  pid_t child = fork();
  if (child < 0) return 0;
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    raise(SIGSTOP);
    become(pointers);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL);
  ptrace(PTRACE_CONT, child, nullptr, nullptr);
  std::uint64_t peak = 0;
  while (waitpid(child, &status, 0) >= 0 && WIFSTOPPED(status)) {
    int stop = WSTOPSIG(status);
    if (status >> 8 == (SIGTRAP | (PTRACE_EVENT_EXIT << 8))) peak = high_water_mark(child), stop = 0;
    if (stop == SIGTRAP) stop = 0;
    ptrace(PTRACE_CONT, child, nullptr, stop);
  }
  return peak;
}

namespace {

/// By the machine's counter, from the exec on; 0 if there is no such counter.
std::uint64_t counted_instructions(const std::vector<std::string>& arguments) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.disabled = 1;
  attributes.enable_on_exec = 1;
  attributes.inherit = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  const int probe = static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
  if (probe < 0) return 0;
  close(probe);
  std::vector<char*> pointers = pointers_of(arguments);
  const pid_t child = fork();
  if (child < 0) return 0;
  if (child == 0) {
    raise(SIGSTOP);
    become(pointers);
  }
  int status = 0;
  waitpid(child, &status, WUNTRACED);
  const int counter = static_cast<int>(syscall(SYS_perf_event_open, &attributes, child, -1, -1, PERF_FLAG_FD_CLOEXEC));
  kill(child, SIGCONT);
  waitpid(child, &status, 0);
  std::uint64_t count = 0;
  if (counter >= 0) {
    if (read(counter, &count, sizeof count) != sizeof count) count = 0;
    close(counter);
  }
  return count;
}

/// By cachegrind, which says "I refs: 1,234,567" (and more slowly).
std::uint64_t simulated_instructions(const std::vector<std::string>& arguments) {
  char log[] = "/tmp/xas-bench-XXXXXX";
  const int file = mkstemp(log);
  if (file < 0) return 0;
  std::vector<std::string> command = {"valgrind", "--tool=cachegrind", "--cache-sim=no",
                                      "--cachegrind-out-file=/dev/null", std::string("--log-file=") + log};
  command.insert(command.end(), arguments.begin(), arguments.end());
  run_timed(command);
  char text[1 << 16];
  const ssize_t size = pread(file, text, sizeof text - 1, 0);
  close(file);
  unlink(log);
  text[size > 0 ? size : 0] = 0;
  const char* at = std::strstr(text, "refs:");
  std::uint64_t count = 0;
  if (at == nullptr) return 0;
  for (at += 5; *at == ' ' || *at == ',' || (*at >= '0' && *at <= '9'); ++at)
    if (*at >= '0') count = count * 10 + static_cast<std::uint64_t>(*at - '0');
  return count;
}

}  // namespace

std::uint64_t instructions(const std::vector<std::string>& arguments) {
  const std::uint64_t count = counted_instructions(arguments);
  return count != 0 ? count : simulated_instructions(arguments);
}

}  // namespace bench
