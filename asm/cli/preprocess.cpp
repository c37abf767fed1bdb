// SPDX-License-Identifier: Apache-2.0
// The compiler is started without a shell: nothing in a name or a definition has a meaning to anyone else.

#include "asm/cli/preprocess.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "asm/cli/arguments.h"
#include "asm/options/settings.h"
#include "asm/text/host.h"

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

}  // namespace

bool wants_preprocessor(const ProgramOptions& program, const std::vector<std::string>& inputs) {
  return program.preprocess || (program.preprocess_by_name && std::ranges::any_of(inputs, [](const std::string& name) {
                                  return name.ends_with(".S") || name.ends_with(".sx");
                                }));
}

std::string preprocess(const Settings& settings, const std::string& input, std::string& text) {
  const std::vector<std::string> command = preprocessor_command(settings, input);
  const host::Ending ending = host::run(command, text);
  if (ending.error)
    return fmt::format("'{}' is needed to preprocess '{}', and can't be run: {}; XAS_CPP names another preprocessor",
                       command[0], input, std::strerror(ending.error));
  if (ending.signal) return fmt::format("'{}' was ended by signal {}", command[0], ending.signal);
  if (ending.status)
    return fmt::format("'{}' failed with exit status {}, so '{}' is not assembled", command[0], ending.status, input);
  return {};
}

}  // namespace xas::cli
