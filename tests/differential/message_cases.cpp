// SPDX-License-Identifier: Apache-2.0
// What xas alone can be held to: its messages, and sections that no reference assembler makes yet.
//
//     movl $1, %ebz       # ERROR 18 unknown register '%ebz'
//
// is an error in this line, at column 18, whose message contains a match of the regular expression. WARNING and NOTE
// are the same for warnings and notes. A place in another line is written line:column, one in another file
// file:line:column, and "-" stands for no place. Every error and warning must be expected; of notes, those that are
// expected must be there. Without any ERROR there must be an object.
#include <fmt/format.h>
#include <re2/re2.h>

#include <sstream>

#include "case.h"
#include "objwriter/read/object.h"
#include "process.h"

namespace diff {
namespace {

namespace fs = std::filesystem;

struct Message {
  std::string severity;  ///< "error", "warning" or "note"
  std::string file;      ///< empty: no place
  unsigned line = 0, column = 0;
  std::string text;      ///< a pattern, where it is expected
  bool met = false;
};

/// What the comments of a line expect.
void read_expected(const std::string& text, unsigned line, const std::string& file, std::vector<Message>& expected) {
  static const RE2 start(R"((?:#|//|@)\s*(ERROR|WARNING|NOTE)\s+(\S+)\s+)");
  re2::StringPiece rest = text, following;
  std::string severity, place, ignored;
  while (RE2::FindAndConsume(&rest, start, &severity, &place)) {
    Message one;
    one.severity = severity == "ERROR" ? "error" : severity == "WARNING" ? "warning" : "note";
    one.file = file;
    one.line = line;
    if (place == "-") {
      one.file.clear();
      one.line = 0;
    } else if (!RE2::FullMatch(place, R"((\d+))", &one.column) &&
               !RE2::FullMatch(place, R"((\d+):(\d+))", &one.line, &one.column) &&
               !RE2::FullMatch(place, R"((.+):(\d+):(\d+))", &one.file, &one.line, &one.column)) {
      throw std::runtime_error("this is no place: " + place);
    }
    // The message goes on to the next expectation, or to the end of the line.
    re2::StringPiece whole;
    const bool more = start.Match(rest, 0, rest.size(), RE2::UNANCHORED, &whole, 1);
    one.text.assign(rest.data(), more ? static_cast<std::size_t>(whole.data() - rest.data()) : rest.size());
    one.text.erase(one.text.find_last_not_of(" \r") + 1);
    expected.push_back(std::move(one));
  }
}

std::vector<Message> read_messages(const std::string& errors) {
  static const RE2 pattern(R"((?:(.+):(\d+):(\d+)|[^:]+): (?:fatal )?(error|warning|note): (.*))");
  std::vector<Message> messages;
  for (const std::string& line : lines_of(errors)) {
    std::string number, column;
    Message one;
    if (!RE2::FullMatch(line, pattern, &one.file, &number, &column, &one.severity, &one.text)) continue;
    if (!number.empty()) one.line = static_cast<unsigned>(std::stoul(number));
    if (!column.empty()) one.column = static_cast<unsigned>(std::stoul(column));
    messages.push_back(std::move(one));
  }
  return messages;
}

bool meets(const Message& message, Message& expected) {
  if (expected.met || message.severity != expected.severity || message.file != expected.file ||
      message.line != expected.line || message.column != expected.column ||
      !RE2::PartialMatch(message.text, expected.text))
    return false;
  return expected.met = true;
}

std::string place(const Message& message) {
  return fmt::format("{} at {}:{}:{}", message.severity, message.file, message.line, message.column);
}

void compare_messages(const Case& test, const RunResult& run, bool has_object, Outcome& outcome) {
  std::vector<Message> expected;
  const auto& [name, text] = test.files.front();
  unsigned number = 0;
  for (const std::string& line : lines_of(text)) read_expected(line, ++number, name, expected);
  bool has_errors = false;
  for (const Message& one : expected) has_errors |= one.severity == "error";
  const auto fail = [&](std::string cause, std::string detail) {
    outcome.differences.push_back({std::move(cause), std::move(detail)});
  };
  if (has_object == has_errors)
    fail(has_object ? "there is an object" : "there is no object", run.errors.substr(0, 200));
  for (const Message& message : read_messages(run.errors)) {
    bool met = false;
    for (Message& one : expected)
      if (!met) met = meets(message, one);
    if (!met && message.severity != "note") fail("unexpected " + place(message), message.text);
  }
  for (const Message& one : expected)
    if (!one.met) fail("missing " + place(one), one.text);
  outcome.checks = expected.size();
}

void compare_section(const std::string& section, const fs::path& object, Outcome& outcome) {
  const std::optional<std::string> bytes = read_file(object);
  if (!bytes) {
    outcome.differences.push_back({"there is no object", ""});
    return;
  }
  std::istringstream words(section);
  std::string name, what, value;
  words >> name;
  xas::read::Object elf;
  if (xas::read::Error error; !xas::read::read_object(as_bytes(*bytes), elf, error))
    throw std::runtime_error(error.message);
  const xas::read::Section* found = nullptr;
  for (const xas::read::Section& one : elf.sections)
    if (one.name == name) found = &one;
  if (found == nullptr) {
    outcome.differences.push_back({"there is no section " + name, ""});
    return;
  }
  while (words >> what >> value) {
    ++outcome.checks;
    std::string got;
    if (what == "bytes") {
      for (const std::uint8_t byte : found->data) got += fmt::format("{:02x}", byte);
    } else {
      const std::uint64_t number = what == "align"     ? found->align
                                   : what == "entsize" ? found->entsize
                                   : what == "type"    ? found->type
                                   : what == "flags"   ? found->flags
                                                       : throw std::runtime_error("unknown: " + what);
      got = value.starts_with("0x") ? fmt::format("{:#x}", number) : fmt::format("{}", number);
    }
    if (got != value) outcome.differences.push_back({fmt::format("{}: {} is {}, not {}", name, what, got, value), ""});
  }
}

}  // namespace

Outcome run_alone(const Case& test, const fs::path& scratch) {
  write_inputs(test, scratch);
  const fs::path object = scratch / "xas.o";
  std::vector<std::string> arguments = test.subject;
  arguments.insert(arguments.end(), {"-o", object.string()});
  const RunResult run = diff::run(arguments, scratch, {}, scratch);
  Outcome outcome;
  if (run.crashed() || run.timed_out || run.exit_status > 1) {
    outcome.differences.push_back({"xas crashes: " + run.ending(), run.errors.substr(0, 200)});
  } else if (test.checks.sections.empty()) {
    compare_messages(test, run, fs::exists(object), outcome);
  } else {
    outcome.checks = 0;
    for (const std::string& section : test.checks.sections) compare_section(section, object, outcome);
  }
  if (!outcome.differences.empty()) outcome.status = Status::different;
  return outcome;
}

}  // namespace diff
