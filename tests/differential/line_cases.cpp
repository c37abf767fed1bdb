// SPDX-License-Identifier: Apache-2.0
// A text of which each line is tried by itself, as far as possible in one run: lines that a program rejects are taken
// out, and the rest is tried again, until it is accepted.
//
// What the oracle takes, xas has to turn into the same object. What one of the two assemblers takes, xas has to take in
// both profiles, and nothing else: a modifier that a field has no relocation for must not be lost. With the check `cut`
// it may refuse what one of two assemblers alone takes.
#include <fmt/format.h>

#include <fstream>
#include <map>
#include <sstream>

#include "case.h"
#include "process.h"

namespace diff {
namespace {

namespace fs = std::filesystem;

struct Trial {
  std::set<std::size_t> taken;
  std::string problem;  ///< it ended otherwise than by taking or rejecting lines
};

/// Leaves the object of the lines that are taken.
Trial try_lines(const std::vector<std::string>& command, const std::vector<std::string>& lines,
                std::set<std::size_t> left, const fs::path& scratch, const fs::path& object) {
  constexpr int rounds = 30;
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::size_t> in_file;
    std::ofstream text(scratch / "in.s", std::ios::binary);
    for (std::size_t i : left) {
      text << lines[i] << "\n";
      in_file.push_back(i);
    }
    text.close();
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"-o", object.string()});
    const RunResult run = diff::run(arguments, scratch, {}, scratch);
    if (run.succeeded()) return {std::move(left), {}};
    if (run.crashed() || run.timed_out) return {{}, run.ending()};
    bool any = false;
    for (const std::string& place : error_lines(run.errors)) {
      const std::size_t line = std::stoul(place.substr(place.rfind(':') + 1));
      if (line >= 1 && line <= in_file.size()) any |= left.erase(in_file[line - 1]) != 0;
    }
    if (!any) return {{}, "an error at no line: " + run.errors.substr(0, 200)};
  }
  return {{}, "too many rounds"};
}

}  // namespace

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

Outcome run_lines(const Case& test, const fs::path& scratch) {
  Outcome outcome;
  const auto add = [&](std::string cause, std::string detail) {
    outcome.status = Status::different;
    outcome.differences.push_back({std::move(cause), std::move(detail)});
  };
  const std::vector<std::string> lines = lines_of(test.files.front().second);
  std::set<std::size_t> all;
  for (std::size_t i = 0; i < lines.size(); ++i) all.insert(i);
  const fs::path oracle_object = scratch / "oracle.o", subject_object = scratch / "xas.o";
  const fs::path other_object = scratch / "other.o";
  const Trial oracle = try_lines(test.oracle, lines, all, scratch, oracle_object);
  const Trial subject = try_lines(test.subject, lines, all, scratch, other_object);
  Trial other_trial;
  if (!test.other_oracle.empty()) other_trial = try_lines(test.other_oracle, lines, all, scratch, other_object);
  const Trial& other = other_trial;
  for (const Trial* trial : {&oracle, &subject, &other}) {
    if (!trial->problem.empty()) add(trial->problem, trial == &subject ? "xas" : "an assembler");
  }
  std::set<std::size_t> common;
  std::map<std::string, std::size_t> values;  // how many lines a difference has
  for (std::size_t i : all) {
    const bool known = oracle.taken.contains(i) || other.taken.contains(i);
    const bool both = oracle.taken.contains(i) && (test.other_oracle.empty() || other.taken.contains(i));
    const std::string& name = i < test.line_names.size() ? test.line_names[i] : lines[i];
    const std::string what = name == lines[i] ? ": " : " for some values: ";
    if ((test.checks.cut ? both : known) && !subject.taken.contains(i)) ++values["refused" + what + name];
    if (!known && subject.taken.contains(i)) ++values["taken by xas alone" + what + name];
    if (oracle.taken.contains(i) && subject.taken.contains(i)) common.insert(i);
  }
  for (const auto& [cause, count] : values) {
    const bool several = count > 1 && cause.find(" for some values: ") != cause.npos;
    add(several ? fmt::format("{} ({})", cause, count) : cause, "");
  }
  const Trial again = try_lines(test.oracle, lines, common, scratch, oracle_object);
  const Trial mine = try_lines(test.subject, lines, common, scratch, subject_object);
  if (again.taken != common || mine.taken != common) add("lines are not independent of each other", "");
  for (Difference& difference : compare_objects({oracle_object, subject_object, scratch / "in.s", scratch})) {
    outcome.status = Status::different;
    outcome.differences.push_back(std::move(difference));
  }
  return outcome;
}

}  // namespace diff
