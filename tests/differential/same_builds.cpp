// SPDX-License-Identifier: Apache-2.0
// Two builds of xas on the input of one case: the object, how the program ended, what it printed, and the further file
// that the case asks for have to be the same. No reference assembler is asked.
#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "case.h"
#include "process.h"

namespace diff {
namespace {

namespace fs = std::filesystem;

/// Everything that a run leaves.
struct Trace {
  std::string ending, errors, output;
  std::optional<std::string> object, file;
};

/// What a program printed, without the times of --statistics.
std::string without_times(const std::string& text) {
  std::string kept, line;
  for (std::istringstream lines(text); std::getline(lines, line);)
    if (line.find("total time in assembly") == line.npos) kept += line + "\n";
  return kept;
}

/// The first line that two texts do not share.
std::string first_difference(const std::string& old_text, const std::string& new_text) {
  std::istringstream old_lines(old_text), new_lines(new_text);
  for (;;) {
    std::string old_line, new_line;
    const bool old_has = static_cast<bool>(std::getline(old_lines, old_line));
    const bool new_has = static_cast<bool>(std::getline(new_lines, new_line));
    if (!old_has && !new_has) return "";
    if (old_has != new_has || old_line != new_line)
      return fmt::format("'{}' became '{}'", old_has ? old_line : "", new_has ? new_line : "").substr(0, 300);
  }
}

std::string difference(const Trace& old_trace, const Trace& new_trace) {
  if (old_trace.ending != new_trace.ending)
    return fmt::format("{} became {}: {}", old_trace.ending, new_trace.ending,
                       first_difference(old_trace.errors, new_trace.errors));
  if (old_trace.object != new_trace.object) {
    if (!old_trace.object || !new_trace.object) return old_trace.object ? "no object any more" : "an object";
    const auto [at, ignored] = std::mismatch(old_trace.object->begin(), old_trace.object->end(),
                                             new_trace.object->begin(), new_trace.object->end());
    return fmt::format("another object: {} and {} bytes, from byte {} on", old_trace.object->size(),
                       new_trace.object->size(), at - old_trace.object->begin());
  }
  if (old_trace.errors != new_trace.errors)
    return "other messages: " + first_difference(old_trace.errors, new_trace.errors);
  if (old_trace.output != new_trace.output)
    return "other output: " + first_difference(old_trace.output, new_trace.output);
  return old_trace.file == new_trace.file ? "" : "another file beside the object";
}

}  // namespace

std::string compare_builds(const Case& test, const std::string& old_build, const fs::path& scratch, double seconds) {
  const fs::path directory = test.directory.empty() ? scratch : test.directory;
  write_inputs(test, scratch);
  RunLimits limits;
  limits.seconds = seconds;
  if (!test.prepare.empty())
    run({"/bin/sh", "-c", placed(test.prepare, scratch)}, directory, "", scratch, limits);
  auto trace = [&](const std::string& build) {
    std::vector<std::string> arguments = test.subject;
    arguments[0] = build;
    for (std::string& argument : arguments) argument = placed(argument, scratch);
    const fs::path object = scratch / "object.o", file = directory / test.checks.file;
    arguments.insert(arguments.end(), {"-o", object.string()});
    RunResult result = run(arguments, directory, placed(test.input.string(), scratch), scratch, limits);
    Trace all{result.ending(), without_times(result.errors), without_times(result.output), read_file(object), {}};
    std::error_code none;
    fs::remove(object, none);
    if (!test.checks.file.empty()) {
      all.file = read_file(file);
      fs::remove(file, none);
    }
    return all;
  };
  std::string text = test.files.empty() ? "" : test.files.front().second;
  for (;;) {
    const Trace old_trace = trace(old_build), new_trace = trace(test.subject[0]);
    std::string found = difference(old_trace, new_trace);
    if (!found.empty() || (test.method != Method::lines && test.method != Method::instructions)) return found;
    // Without the lines that are rejected, until an object is made.
    const std::set<std::string> rejected = error_lines(old_trace.errors);
    if (rejected.empty()) return "";
    std::string rest;
    int number = 0;
    for (const std::string& line : lines_of(text))
      if (!rejected.contains(fmt::format("{}:{}", test.files.front().first, ++number))) rest += line + "\n";
    if (rest == text) return "";
    text = std::move(rest);
    std::ofstream(scratch / test.files.front().first, std::ios::binary) << text;
  }
}

}  // namespace diff
