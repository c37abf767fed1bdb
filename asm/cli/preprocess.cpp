// SPDX-License-Identifier: Apache-2.0
// The compiler is started without a shell: nothing in a name or a definition has a meaning to anyone else.

#include "asm/cli/preprocess.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "asm/cli/arguments.h"
#include "asm/options/table.h"

extern char** environ;

namespace xas::cli {
namespace {

std::vector<std::string> preprocessor_command(const Settings& settings, const std::string& input) {
  const char* const given = std::getenv("XAS_CPP");
  std::vector<std::string> command;
  if (given) command = split_words(given);
  if (command.empty()) command = {settings.triple.empty() ? "cc" : settings.triple + "-gcc", "-E"};
  command.insert(command.end(), {"-x", "assembler-with-cpp"});
  for (const std::string& folder : settings.options.include_dirs) command.insert(command.end(), {"-I", folder});
  const auto& options = settings.program.preprocessor_options;
  command.insert(command.end(), options.begin(), options.end());
  command.push_back(input);
  return command;
}

/// All that comes out of the pipe.
void read_all(int fd, std::string& text) {
  char block[65536];
  ssize_t n;
  while ((n = ::read(fd, block, sizeof block)) > 0 || (n < 0 && errno == EINTR)) {
    if (n > 0) text.append(block, std::size_t(n));
  }
}

}  // namespace

bool wants_preprocessor(const ProgramOptions& program, const std::vector<std::string>& inputs) {
  return program.preprocess || (program.preprocess_by_name && std::ranges::any_of(inputs, [](const std::string& name) {
                                  return name.ends_with(".S") || name.ends_with(".sx");
                                }));
}

std::string preprocess(const Settings& settings, const std::string& input, std::string& text) {
  const std::vector<std::string> command = preprocessor_command(settings, input);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  int pipe[2];
  if (::pipe(pipe) != 0) return fmt::format("the C preprocessor can't be run: {}", std::strerror(errno));
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addclose(&actions, pipe[0]);
  ::posix_spawn_file_actions_addclose(&actions, pipe[1]);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[1]);
  if (!error) read_all(pipe[0], text);
  ::close(pipe[0]);
  if (error)
    return fmt::format("'{}' is needed to preprocess '{}', and can't be run: {}; XAS_CPP names another preprocessor",
                       command[0], input, std::strerror(error));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) return fmt::format("'{}' was ended by signal {}", command[0], WTERMSIG(status));
  if (WEXITSTATUS(status) != 0)
    return fmt::format("'{}' failed with exit status {}, so '{}' is not assembled", command[0], WEXITSTATUS(status),
                       input);
  return {};
}

}  // namespace xas::cli
